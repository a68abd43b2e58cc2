const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

function tomorrow() {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() + 1);
  return date;
}

document.querySelector('button').addEventListener('click', () => {
  document.querySelector('[role=status]').textContent = `Your bread comes on ${day.format(tomorrow())}.`;
});
