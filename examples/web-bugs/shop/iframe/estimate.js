const rates = { town: { days: 1, euros: 3 }, mainland: { days: 3, euros: 6 } };
const status = document.querySelector('[role=status]');

document.querySelector('button').addEventListener('click', () => {
  const rate = rates[document.querySelector('select').value];
  status.textContent = `${rate.days} days, ${rate.euros} €`;
});
