const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

function tomorrow() {
  const today = new Date().toISOString().slice(0, 10);
  const [year, month, date] = today.split('-');
  return new Date(`${year}-${month}-${String(Number(date) + 1).padStart(2, '0')}`);
}

document.querySelector('button').addEventListener('click', () => {
  document.querySelector('[role=status]').textContent = `Your bread comes on ${day.format(tomorrow())}.`;
});
