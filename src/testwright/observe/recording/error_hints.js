// Tells what the browser's own report leaves out: whether an error was a rejected promise, and which document it was in.
// Only listens: whether the page handles its errors stays the page's business. `send` takes one plain object.
(send) => {
  const text = (value) => {
    try {
      return String(value).slice(0, 10000);
    } catch {
      return '';
    }
  };
  const tell = (what, thrown, said) => {
    let message = said || '';
    try {
      message = thrown !== null && typeof thrown === 'object' && 'message' in thrown ? text(thrown.message) : message || text(thrown);
    } catch {
      // A getter of the page's own that throws: what the browser said is enough.
    }
    send({ what, message });
  };
  window.addEventListener('error', (event) => {
    // Elements that fail to load send events of this name too; they are not errors of a script.
    if (event instanceof ErrorEvent) tell('error', event.error, event.message);
  }, true);
  window.addEventListener('unhandledrejection', (event) => tell('unhandledrejection', event.reason, ''), true);
}
