const form = document.querySelector('form');
const status = document.querySelector('[role=status]');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = 'One moment ...';
  const answer = await fetch('/api/orders', { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const order = await answer.json();
  status.textContent = `Thank you. Your order has number ${order.number}.`;
});
