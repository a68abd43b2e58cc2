const teas = [
  { name: 'Assam', cents: 450 },
  { name: 'Darjeeling', cents: 690 },
  { name: 'Earl Grey', cents: 520 },
  { name: 'Sencha', cents: 780 },
];
const cart = new Map(); // name -> quantity
const find = (id) => document.getElementById(id);
const euros = (cents) => `${(cents / 100).toFixed(2)} €`;

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function showTeas() {
  const wanted = find('search').value.trim().toLowerCase();
  const found = teas.filter(({ name }) => name.toLowerCase().includes(wanted));
  find('nothing-found').hidden = found.length > 0;
  find('teas').replaceChildren(
    ...found.map(({ name, cents }) =>
      element(
        'li',
        {},
        element('span', { textContent: name }),
        element('span', { textContent: euros(cents) }),
        element('button', { textContent: 'Add', ariaLabel: `Add ${name}`, onclick: () => put(name, (cart.get(name) ?? 0) + 1) }),
      ),
    ),
  );
}

function put(name, quantity) {
  if (quantity > 0) cart.set(name, quantity);
  else cart.delete(name);
  find('message').textContent = '';
  showCart();
}

function total() {
  return [...cart.keys()].reduce((sum, name) => sum + teas.find((tea) => tea.name === name).cents, 0);
}

function showCart() {
  find('cart-empty').hidden = cart.size > 0;
  find('order').disabled = cart.size === 0;
  find('total').textContent = euros(total());
  find('cart').replaceChildren(
    ...[...cart].map(([name, quantity]) =>
      element(
        'li',
        {},
        element('span', { textContent: name }),
        element('input', {
          type: 'number',
          min: 0,
          value: quantity,
          ariaLabel: `Quantity of ${name}`,
          onchange: ({ target }) => put(name, Number(target.value)),
        }),
        element('button', { textContent: 'Remove', ariaLabel: `Remove ${name}`, onclick: () => put(name, 0) }),
      ),
    ),
  );
}

find('search').addEventListener('input', showTeas);
find('order').addEventListener('click', () => {
  cart.clear();
  showCart();
  find('message').textContent = 'Thank you! Your tea is on its way.';
});
showTeas();
showCart();
