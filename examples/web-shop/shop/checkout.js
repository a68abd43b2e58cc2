const cents = 1230;
const find = (selector) => document.querySelector(selector);
const say = (text) => { find('#message').textContent = text; };
const reveal = (button, hidden) => find(button).addEventListener('click', (event) => {
  event.preventDefault();
  find(hidden).hidden = false;
});

reveal('.edit-address', '#street-field');
reveal('.gift-note', '#gift-field');
reveal('.terms', '#terms-text');

find('#speed').addEventListener('change', ({ target }) => {
  find('#arrival').textContent = target.value === 'express' ? 'It arrives tomorrow.' : 'It arrives in a week.';
});

const showCard = (number) => {
  find('#card-hint').textContent = number ? `We charge the card that ends in ${number.slice(-4)}.` : '';
};
find('#card-number').addEventListener('input', ({ target }) => showCard(target.value));

find('#apply').addEventListener('click', () => {
  const discount = find('#voucher').value === 'TEATIME' ? 0.9 : 1;
  find('[data-testid="order-total"]').textContent = `${((cents * discount) / 100).toFixed(2)} €`;
});

find('.btn-primary').addEventListener('click', () => {
  say(find('#newsletter')?.checked ? 'Thank you! Tea and news are on their way.' : 'Thank you! Your tea is on its way.');
});

find('#save-basket').addEventListener('click', () => say('Your basket will wait for you.'));
