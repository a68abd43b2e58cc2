const list = document.querySelector('ul');

const news = {
  price({ item, euros }) {
    list.insertAdjacentHTML('beforeend', `<li>${item}: ${euros} €</li>`);
  },
};

document.querySelector('button').addEventListener('click', () => {
  const socket = new WebSocket(`ws://${location.host}/api/prices/live`);
  socket.addEventListener('message', (event) => {
    const message = JSON.parse(event.data);
    news[message.kind](message);
  });
});
