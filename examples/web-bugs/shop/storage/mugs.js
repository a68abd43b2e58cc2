// An old page: it keeps the cart as we did last year, "mug:1".
document.querySelector('button').addEventListener('click', () => {
  const [, mugs] = (localStorage.getItem('cart') ?? 'mug:0').split(':');
  localStorage.setItem('cart', `mug:${Number(mugs) + 1}`);
  document.querySelector('[role=status]').textContent = 'It is in the cart.';
});
