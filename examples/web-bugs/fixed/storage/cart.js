// A new page: it keeps the cart as [{"item": "mug", "count": 1}], and still reads what old pages kept, "mug:1".
function read(kept) {
  if (kept.startsWith('[')) return JSON.parse(kept);
  const [item, count] = kept.split(':');
  return [{ item, count: Number(count) }];
}

const lines = read(localStorage.getItem('cart') ?? '[]');

document.querySelector('ul').innerHTML = lines.map(({ item, count }) => `<li>${count} × ${item}</li>`).join('');
document.querySelector('[role=status]').textContent = lines.length ? 'Ready to order.' : 'Your cart is empty.';
