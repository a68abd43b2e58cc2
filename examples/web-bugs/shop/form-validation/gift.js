const form = document.querySelector('form');
const status = document.querySelector('[role=status]');

function problem(name, phone) {
  if (!name.trim()) return 'Please tell us who it is for.';
  const digits = phone.match(/\d/g).join('');
  if (digits && digits.length < 6) return 'This phone number is too short.';
  return '';
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { name, phone } = Object.fromEntries(new FormData(form));
  status.textContent = problem(name, phone);
  if (status.textContent) return;
  const answer = await fetch('/api/gifts', { method: 'POST', body: JSON.stringify({ name, phone }) });
  status.textContent = answer.ok ? `Your gift for ${name} is on its way.` : 'That did not work. Please try again.';
});
