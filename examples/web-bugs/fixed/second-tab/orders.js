// The invoice is open in a tab of its own, and tells us once it is paid.
new BroadcastChannel('payments').addEventListener('message', () => {
  document.querySelector('[role=status]').textContent = 'Everything is paid.';
});
