const shelf = document.querySelector('section');

async function open(name) {
  shelf.innerHTML = `<h2 id="${name}-title">${name}</h2><ul id="${name}-items"></ul>`;
  const answer = await fetch(`/api/shelves/${name}`);
  const { items } = await answer.json();
  const list = document.getElementById(`${name}-items`);
  list.innerHTML = items.map((item) => `<li>${item}</li>`).join('');
}

for (const button of document.querySelectorAll('[data-shelf]')) {
  button.addEventListener('click', () => open(button.dataset.shelf));
}
