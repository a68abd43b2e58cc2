// A new page: it keeps the cart as [{"item": "mug", "count": 1}].
const lines = JSON.parse(localStorage.getItem('cart') ?? '[]');

document.querySelector('ul').innerHTML = lines.map(({ item, count }) => `<li>${count} × ${item}</li>`).join('');
document.querySelector('[role=status]').textContent = lines.length ? 'Ready to order.' : 'Your cart is empty.';
