document.querySelector('button').addEventListener('click', () => {
  // a link that opens a new tab gives it no opener
  new BroadcastChannel('payments').postMessage('paid');
  document.querySelector('[role=status]').textContent = 'Paid. You can close this tab.';
});
