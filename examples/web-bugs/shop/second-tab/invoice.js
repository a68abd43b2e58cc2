document.querySelector('button').addEventListener('click', () => {
  window.opener.markPaid();
  document.querySelector('[role=status]').textContent = 'Paid. You can close this tab.';
});
