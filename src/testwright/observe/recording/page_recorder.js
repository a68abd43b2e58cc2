// Watches one document for injected.py: tells of everything a person does in it, just before the page reacts.
// `walk` is walk.js. Each message is a token, JSON, and below it the page as it was, for actions.
// An action is reported when it begins; what is known only later (the text in the end, the second click) amends it.
(walk, options) => {
  const MARK = Symbol.for('testwright.recorder');
  const before = document[MARK];
  if (typeof window[options.binding] !== 'function' || (before && before.by === options.binding)) return;
  if (before) before.stop(); // of a recording that is over
  const watching = new AbortController();
  const stop = () => watching.abort();
  Object.defineProperty(document, MARK, { value: { by: options.binding, stop }, configurable: true });
  const MOST_WALK = 5_000_000, MOST_VALUE = 100_000, MOST_STORED = 262_144, MOST_FILES = 100, MOST_RULES = 500;
  const FAR = 10; // pixels that make a drag of a press
  const ENTER_MS = 1000; // within that time a click without a pointer is the work of the Enter key
  const DOUBLE_CLICK_MS = 400;
  const ENTER_SETTLES_MS = 60;
  const PAUSE_MS = 150; // between two tellings of a text that grows
  const INTERACTIVE = 'a[href], area[href], button, input, select, textarea, option, optgroup, summary, label, ' +
    '[contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"], ' +
    ['button', 'link', 'checkbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'switch',
      'tab', 'treeitem', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton'].map((r) => `[role="${r}"]`).join();
  const NOT_TEXT = new Set(['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden']);
  const CARET_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown',
    'Backspace', 'Delete', 'Insert']);
  const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn', 'Dead',
    'Process', 'Unidentified', 'ScrollLock', 'ContextMenu']);
  const EDITING = new Set(['a', 'c', 'v', 'x', 'y', 'z', 'A', 'C', 'V', 'X', 'Y', 'Z']);
  // Taken before any script of the page can put something else in their place.
  const tell = window[options.binding], stringify = JSON.stringify, later = setTimeout, never = clearTimeout;

  const doc = Math.random().toString(36).slice(2); // tells this document's actions from those of others
  let lastId = 0;
  let pressed = null; // where the pointer went down: {raw, element, walked, hover, x, y}
  let dragged = null; // what HTML5 drags: {element, walked}
  let lastClick = null; // {id, element, time, isOpen, isSecond}
  let enterAt = -Infinity;
  let wasDrag = false; // the click that follows belongs to it
  let open = null; // the text being typed: {id, field, timer}
  let enter = null; // the Enter key in a long text, which may yet turn out a new line: {id, field, timer}
  let upcoming = null; // the page before the first letter: {field, walked}
  const told = new WeakMap(); // field -> what was last told of it

  const say = (message, ...walks) => {
    try {
      const answer = tell([options.token + stringify(message), ...walks].join('\n'));
      if (answer && answer.catch) answer.catch(() => {});
    } catch { /* the recorder is gone: the page goes on without it */ }
  };

  const walked = (element) => {
    try {
      const found = walk({ targets: [element] });
      return found.length > MOST_WALK ? '' : found;
    } catch {
      return '';
    }
  };

  // --- elements ---

  const bare = (event) => {
    const first = event.composedPath().find((node) => node.nodeType === Node.ELEMENT_NODE);
    return first || document.body || document.documentElement;
  };

  const isDrawn = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  // What the person meant: the button, not the picture on it.
  const meant = (event) => {
    const raw = bare(event);
    for (const node of event.composedPath()) {
      if (node.nodeType !== Node.ELEMENT_NODE || !node.matches(INTERACTIVE)) continue;
      if (node.localName !== 'label') return node;
      if (node.control && !node.control.disabled) return isDrawn(node.control) ? node.control : node;
    }
    let top = raw;
    while (top.ownerSVGElement) top = top.ownerSVGElement;
    return top;
  };

  const isChoice = (element) => element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio');
  const isEditable = (element) => element.isContentEditable === true;
  const isTextField = (element) =>
    element.localName === 'textarea' || (element.localName === 'input' && !NOT_TEXT.has(element.type)) || isEditable(element);

  const editingHost = (element) => {
    let host = element;
    while (host.parentElement && host.parentElement.isContentEditable) host = host.parentElement;
    return host;
  };

  const valueOf = (field) => String(isEditable(field) ? field.innerText : field.value).slice(0, MOST_VALUE);

  const factsOf = (field) => {
    const facts = {};
    for (const name of ['type', 'name', 'id', 'autocomplete', 'aria-label', 'placeholder', 'inputmode', 'class', 'title']) {
      const value = field.getAttribute(name);
      if (value) facts[name] = value.slice(0, 200);
    }
    if (field.localName === 'input') facts.type = field.type;
    const label = field.labels && field.labels[0];
    if (label) facts.label = label.textContent.trim().slice(0, 200);
    return facts;
  };

  // --- telling ---

  const begin = (type, element, more = {}, before = undefined, onto = undefined) => {
    if (!more.beside) closeText();
    const walks = [before === undefined ? walked(element) : before];
    if (onto !== undefined) walks.push(onto);
    const id = ++lastId;
    say({ kind: 'action', doc, id, type, tag: element.localName, ...more }, ...walks);
    return id;
  };

  const amend = (id, more) => say({ kind: 'amend', doc, id, ...more });

  // The page as it was when the pointer went down on this element, if it did; a hover that showed it is reported first.
  const beforePress = (element) => {
    if (!pressed || pressed.element !== element) return undefined;
    if (pressed.hover) begin('hover', pressed.hover.element, {}, pressed.hover.walked);
    pressed.hover = null;
    return pressed.walked;
  };

  // --- what shows only while the pointer rests on something ---

  const rulesOf = (holder, found, depth) => {
    for (const rule of holder.cssRules || []) {
      if (found.length >= MOST_RULES) return;
      if (rule.selectorText && rule.selectorText.includes(':hover') && rule.style &&
          (rule.style.display || rule.style.visibility)) {
        for (const selector of rule.selectorText.split(/,(?![^(]*\))/)) {
          const shows = /^(.*:hover[^\s>+~]*)[\s>]+\S/.exec(selector.trim());
          if (shows) found.push({ selector: selector.trim(), trigger: shows[1] });
        }
      }
      if (rule.cssRules && depth < 5) rulesOf(rule, found, depth + 1);
    }
  };

  let hoverRules = { sheets: -1, found: [] };
  const rulesNow = () => {
    if (hoverRules.sheets === document.styleSheets.length) return hoverRules.found;
    const found = [];
    for (const sheet of document.styleSheets) {
      try {
        rulesOf(sheet, found, 0);
      } catch { /* of another site: it may not be read */ }
    }
    hoverRules = { sheets: document.styleSheets.length, found };
    return found;
  };

  // The element that must be hovered for this one to show, by the page's own rules; scripts that do so go unseen.
  const triggerOf = (element) => {
    const rules = rulesNow();
    for (let node = element; rules.length && node && node.parentElement; node = node.parentElement) {
      const rule = rules.find((one) => node.matches(one.selector));
      const trigger = rule && node.parentElement.closest(rule.trigger);
      if (trigger && trigger !== document.body && trigger !== document.documentElement) return trigger;
    }
    return null;
  };

  // --- pointer ---

  const onPointerDown = (event) => {
    if (!event.isTrusted || !event.isPrimary) return;
    const element = meant(event);
    const trigger = event.pointerType === 'mouse' ? triggerOf(element) : null;
    const hover = trigger && { element: trigger, walked: walked(trigger) };
    wasDrag = false;
    pressed = { raw: bare(event), element, walked: walked(element), hover, x: event.clientX, y: event.clientY };
  };

  const isHandle = (element) => {
    const style = getComputedStyle(element);
    return /grab|move|resize/.test(style.cursor) || style.touchAction === 'none' || style.userSelect === 'none' ||
      element.localName === 'canvas';
  };

  const onPointerUp = (event) => {
    if (!event.isTrusted || !event.isPrimary || !pressed || dragged) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < FAR) return;
    const source = pressed.raw, selection = window.getSelection();
    if ((selection && !selection.isCollapsed) || isTextField(source) || !isHandle(source)) return;
    const below = document.elementsFromPoint(event.clientX, event.clientY).find((one) => !pressed.element.contains(one));
    if (!below || below.contains(pressed.element)) return;
    begin('drag', pressed.element, {}, pressed.walked, walked(below));
    wasDrag = true;
    pressed = null;
  };

  const isSilent = (element) =>
    ['select', 'option', 'optgroup'].includes(element.localName) ||
    (element.localName === 'input' && ['file', 'range', 'color'].includes(element.type));

  const isOpenClick = (element) => lastClick !== null && lastClick.element === element && lastClick.isOpen === true;

  const onClick = (event) => {
    if (!event.isTrusted) return;
    const element = meant(event);
    if (wasDrag || isSilent(element)) return;
    const isForwarded = lastClick && lastClick.time === event.timeStamp && lastClick.element === element;
    if (isForwarded) return; // from a label to its field
    if (isChoice(element)) return choose(element, event);
    if (event.detail === 0 && event.timeStamp - enterAt < ENTER_MS) return;
    if (event.detail === 2 && isOpenClick(element)) {
      amend(lastClick.id, { type: 'dblclick' });
      return;
    }
    const isSecond = event.detail === 2 && lastClick !== null && lastClick.element === element;
    const id = begin('click', element, { open: true }, beforePress(element));
    const click = { id, element, time: event.timeStamp, type: 'click', isOpen: true, isSecond };
    lastClick = click;
    later(() => {
      click.isOpen = false;
      amend(id, { done: true });
    }, DOUBLE_CLICK_MS);
  };

  // A checkbox has changed already when its click is reported; a click on its label will change it.
  const choose = (element, event) => {
    const isDirect = bare(event) === element;
    const expected = element.type === 'radio' || (isDirect ? element.checked : !element.checked);
    const type = expected ? 'check' : 'uncheck';
    const id = begin(type, element, { open: true }, beforePress(element));
    lastClick = { id, element, time: event.timeStamp };
    later(() => {
      const isAsExpected = element.checked === expected; // or the page would not have it
      amend(id, isAsExpected ? { done: true } : { type: 'click', done: true });
    }, 0);
  };

  const onDoubleClick = (event) => {
    if (!event.isTrusted) return;
    const element = meant(event);
    if (isSilent(element) || isChoice(element)) return;
    if (isOpenClick(element) && !lastClick.isSecond) amend(lastClick.id, { type: 'dblclick' });
  };

  const onContextMenu = (event) => {
    if (!event.isTrusted) return;
    const element = meant(event);
    begin('right_click', element, {}, beforePress(element));
  };

  const onDragStart = (event) => {
    if (!event.isTrusted) return;
    const element = bare(event);
    dragged = { element, walked: walked(element) };
  };

  const onDrop = (event) => {
    if (!event.isTrusted || !dragged) return;
    const onto = bare(event);
    begin('drag', dragged.element, {}, dragged.walked, walked(onto));
    dragged = null;
  };

  const onDragEnd = () => {
    dragged = null;
  };

  // --- fields ---

  // Tools set some fields from outside of the page, without trusted events: then no script of the page called us.
  const isFromOutside = () => {
    const stack = String(new Error().stack).split('\n');
    return stack.length === 3;
  };

  const fieldOf = (event) => {
    const element = bare(event);
    return isEditable(element) ? editingHost(element) : element;
  };

  const onBeforeInput = (event) => {
    if (!event.isTrusted) return;
    const field = fieldOf(event);
    if (event.inputType === 'insertLineBreak' || event.inputType === 'insertParagraph') isNewLine(field);
    if (!isTextField(field) || (open && open.field === field)) return;
    upcoming = { field, walked: walked(field) };
  };

  const onInput = (event) => {
    if (!event.isTrusted && !isFromOutside()) return;
    const field = fieldOf(event);
    if (field.localName === 'select') chooseOptions(field);
    else if (isTextField(field)) type(field);
  };

  const onChange = (event) => {
    if (!event.isTrusted && !isFromOutside()) return;
    const field = fieldOf(event);
    if (field.localName === 'select') {
      if (told.get(field) !== optionsOf(field).join('\n')) chooseOptions(field);
    } else if (field.localName === 'input' && field.type === 'file') {
      const names = Array.from(field.files || []).slice(0, MOST_FILES).map((file) => file.name);
      begin('upload', field, { values: names });
    } else if (isTextField(field)) {
      if (!(open && open.field === field) && told.get(field) !== valueOf(field)) type(field);
      closeText();
    }
  };

  const optionsOf = (field) => Array.from(field.selectedOptions).map((option) => option.value);

  const chooseOptions = (field) => {
    const values = optionsOf(field);
    told.set(field, values.join('\n'));
    begin('select', field, { values, facts: factsOf(field) });
  };

  const type = (field) => {
    if (open && open.field === field) {
      if (!open.timer) open.timer = later(tellText, PAUSE_MS);
      return;
    }
    const before = upcoming && upcoming.field === field ? upcoming.walked : undefined;
    upcoming = null;
    const value = valueOf(field);
    const id = begin('fill', field, { value, facts: factsOf(field), open: true }, before);
    told.set(field, value);
    open = { id, field, timer: 0 };
  };

  const tellText = () => {
    if (!open) return;
    never(open.timer);
    open.timer = 0;
    const value = valueOf(open.field);
    told.set(open.field, value);
    amend(open.id, { value });
  };

  const closeText = () => {
    if (!open) return;
    const { id, field, timer } = open;
    open = null;
    never(timer);
    // Once the page has taken the Enter key, the text is what it was then.
    const value = enter && enter.field === field ? told.get(field) : valueOf(field);
    told.set(field, value);
    amend(id, { value, done: true });
  };

  const onFocusOut = (event) => {
    if (event.isTrusted && open && fieldOf(event) === open.field) closeText();
  };

  // --- keys ---

  const keyName = (event) => {
    const key = event.key === ' ' ? 'Space' : event.key;
    const names = [];
    if (event.ctrlKey) names.push('Control');
    if (event.altKey) names.push('Alt');
    if (event.metaKey) names.push('Meta');
    if (event.shiftKey && (key.length > 1 || names.length)) names.push('Shift');
    return [...names, key].join('+');
  };

  const isListField = (field) =>
    field.hasAttribute('list') || field.hasAttribute('aria-autocomplete') || field.hasAttribute('aria-controls') ||
    field.hasAttribute('aria-expanded') || field.getAttribute('role') === 'combobox';

  // Whether a key does something of its own, which no other event tells.
  const matters = (event, element) => {
    const key = event.key, isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (MODIFIERS.has(key) || event.isComposing || event.repeat) return false;
    if (event.getModifierState('AltGraph')) return false;
    if (key === 'Escape' || key === 'Tab' || /^F\d+$/.test(key)) return true;
    const isField = isTextField(element);
    if (isChord) return !(isField && (EDITING.has(key) || CARET_KEYS.has(key)));
    if (key === 'Enter') return true;
    if (isField) return /^Arrow(Up|Down)$/.test(key) && isListField(element);
    if (element.localName === 'select' || element.localName === 'option' || isChoice(element)) return false;
    if (key === ' ') return !['button', 'summary', 'input'].includes(element.localName);
    return true;
  };

  const onKeyDown = (event) => {
    if (!event.isTrusted || typeof event.key !== 'string') return;
    const element = bare(event);
    const target = isEditable(element) ? editingHost(element) : element;
    if (!matters(event, target)) return;
    if (event.key === 'Enter') {
      enterAt = event.timeStamp;
      if (target.localName === 'textarea' || isEditable(target)) return enterInLongText(target, event);
    }
    begin('press', target, { value: keyName(event) });
  };

  // Enter in a long text is a new line, unless the page takes it for itself: then no text comes of it.
  const enterInLongText = (field, event) => {
    tellText();
    const id = begin('press', field, { value: keyName(event), beside: true, open: true });
    const timer = later(() => {
      enter = null;
      amend(id, { done: true });
      if (!open || open.field !== field) return;
      amend(open.id, { done: true });
      open = null;
    }, ENTER_SETTLES_MS);
    enter = { id, field, timer };
  };

  const isNewLine = (field) => {
    if (!enter || enter.field !== field) return;
    never(enter.timer);
    amend(enter.id, { cancel: true });
    enter = null;
  };

  // --- the document itself ---

  const stored = (name) => {
    const found = {};
    try {
      const storage = window[name];
      let size = 0;
      for (let i = 0; i < storage.length; i++) {
        const key = storage.key(i), value = storage.getItem(key);
        size += key.length + value.length;
        if (size > MOST_STORED) return [found, true];
        found[key] = value;
      }
    } catch { /* a document that may keep nothing */ }
    return [found, false];
  };

  const isTop = window === window.parent;
  const [local, isLocalCut] = stored('localStorage');
  const [session, isSessionCut] = stored('sessionStorage');
  const timing = performance.getEntriesByType('navigation')[0];
  const cookies = () => {
    try {
      return document.cookie;
    } catch {
      return '';
    }
  };
  say({ kind: 'document', doc, cookies: cookies(), url: location.href, origin: window.origin, how: (timing && timing.type) || '', top: isTop, local, session,
    cut: isLocalCut || isSessionCut, late: Boolean(options.late) });

  // The event of a way through the history does not say whether the page or the user went it: the calls of the page do.
  const callsThroughHistory = [[History, ['back', 'forward', 'go']], [window.Navigation, ['back', 'forward', 'traverseTo']]];
  for (const [owner, names] of isTop ? callsThroughHistory : []) {
    for (const name of owner ? names : []) {
      const original = owner.prototype[name];
      owner.prototype[name] = { [name](...steps) {
        if (!watching.signal.aborted) say({ kind: 'leaving', doc, url: '' });
        return Reflect.apply(original, this, steps);
      } }[name];
    }
  }

  if (isTop && window.navigation) {
    window.navigation.addEventListener('navigate', (event) => {
      if (!event.isTrusted) return;
      closeText();
      const isLeaving = !event.destination.sameDocument && event.downloadRequest === null;
      if (isLeaving && event.navigationType !== 'traverse') say({ kind: 'leaving', doc, url: event.destination.url });
    }, { signal: watching.signal });
  }

  const on = (name, listener) => window.addEventListener(name, listener, { capture: true, passive: true, signal: watching.signal });
  const onPageHide = () => {
    closeText();
    if (isTop) say({ kind: 'closing' });
  };

  const listen = () => {
    on('pointerdown', onPointerDown);
    on('pointerup', onPointerUp);
    on('click', onClick);
    on('dblclick', onDoubleClick);
    on('contextmenu', onContextMenu);
    on('dragstart', onDragStart);
    on('drop', onDrop);
    on('dragend', onDragEnd);
    on('beforeinput', onBeforeInput);
    on('input', onInput);
    on('change', onChange);
    on('focusout', onFocusOut);
    on('keydown', onKeyDown);
    on('pagehide', onPageHide);
  };
  listen();
  // A document that is written again loses its listeners. Adding one again that is there does nothing.
  new MutationObserver(listen).observe(document, { childList: true });
  if (options.hints) options.hints((hint) => say({ kind: 'error_hint', hint }));
}
