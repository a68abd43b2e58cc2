// One document of a page as facts, for observe/walk.py: evaluated in every frame, answers with a JSON text.
// `marks.frames` are the iframe elements of the frame's child frames, `marks.targets` elements to be pointed out.
// Each node is [parent, tag, flags, attributes, box] for an element or [parent, text, inShadow] for a text;
// `parent` counts elements. Shadow roots come before what their host holds. What people typed is left out.
(marks) => {
  const MOST_ELEMENTS = 50000, MOST_DEPTH = 500, MOST_ATTRIBUTE = 1000, MOST_TEXT = 2000, MOST_ATTRIBUTES = 100;
  const VISIBLE = 1, HIDDEN = 2, INLINE = 4, IN_SHADOW = 8, SPACE_BEFORE = 16;
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'textarea']);
  const VALUE_IS_LABEL = new Set(['submit', 'button', 'reset']);
  const VALUE_IS_CHOICE = new Set(['checkbox', 'radio', 'image', 'submit', 'button', 'reset']);
  const frames = (marks && marks.frames) || [], targets = (marks && marks.targets) || [];
  const frameNumbers = frames.map(() => -1), targetNumbers = [];
  const nodes = [];
  let count = 0, isWhole = true;
  const left = window.scrollX, top = window.scrollY;
  const round = (value) => Math.round(value * 10) / 10;

  const attributesOf = (element, tag) => {
    const found = {};
    const given = element.attributes;
    for (let i = 0; i < given.length && i < MOST_ATTRIBUTES; i++) {
      const name = given[i].name;
      if (name === 'value' && tag === 'input' && !VALUE_IS_CHOICE.has(element.type)) continue;
      if (name === 'content' && tag === 'meta') continue;
      found[name] = given[i].value.slice(0, MOST_ATTRIBUTE);
    }
    if (tag === 'input' && VALUE_IS_LABEL.has(element.type) && element.value) {
      found.value = element.value.slice(0, MOST_ATTRIBUTE);
    }
    return found;
  };

  const flagsOf = (element, tag, above, display) => {
    if (display === 'contents') return above & HIDDEN;
    const inline = display.startsWith('inline') && display === 'inline' ? INLINE : 0;
    if (tag === 'option' || tag === 'optgroup') return inline | (above & HIDDEN) | (display === 'none' ? HIDDEN : 0);
    const isShown = element.checkVisibility({ visibilityProperty: true });
    return inline | (isShown ? 0 : HIDDEN);
  };

  const visit = (element, parent, above, inherited, depth) => {
    if (count >= MOST_ELEMENTS || depth > MOST_DEPTH) {
      isWhole = false;
      return 0;
    }
    const number = count++;
    const tag = element.localName.toLowerCase();
    const display = getComputedStyle(element).display;
    let flags = flagsOf(element, tag, above, display);
    const box = element.getBoundingClientRect();
    if (!(flags & HIDDEN) && box.width > 0 && box.height > 0) flags |= VISIBLE;
    const node = [parent, tag, flags | inherited, attributesOf(element, tag), [
      round(box.x + left), round(box.y + top), round(box.width), round(box.height)]];
    nodes.push(node);
    if (frames.length) {
      const frame = frames.indexOf(element);
      if (frame >= 0) {
        frameNumbers[frame] = number;
        node.push([element.clientLeft, element.clientTop]);
      }
    }
    if (targets.length && targets.includes(element)) targetNumbers.push(number);
    let seen = 0;
    if (element.shadowRoot) {
      nodes.push([number, '', 1]);
      seen |= visitAll(element.shadowRoot, number, flags, tag, depth, true, display === 'inline');
    }
    seen |= visitAll(element, number, flags, tag, depth, false, display === 'inline');
    if (display === 'contents' && seen) node[2] |= VISIBLE;
    return node[2] & VISIBLE;
  };

  const visitAll = (holder, number, flags, tag, depth, isShadow, isInline) => {
    let seen = 0, space = 0;
    for (let child = holder.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === Node.ELEMENT_NODE) {
        seen |= visit(child, number, flags, (isShadow ? IN_SHADOW : 0) | space, depth + 1);
        space = 0;
      } else if (child.nodeType === Node.TEXT_NODE && !SILENT.has(tag)) {
        const text = child.data.slice(0, MOST_TEXT * 4).replace(/\s+/g, ' ').slice(0, MOST_TEXT);
        if (text === ' ') {
          space = SPACE_BEFORE;
        } else if (text) {
          nodes.push([number, space ? ' ' + text : text, isShadow ? 1 : 0]);
          seen |= flags & HIDDEN ? 0 : VISIBLE;
          space = 0;
        }
      }
    }
    if (space && isInline) nodes.push([number, ' ', isShadow ? 1 : 0]);
    return seen;
  };

  if (document.documentElement) visit(document.documentElement, -1, 0, 0, 0);
  return JSON.stringify({
    version: 1,
    url: document.URL.slice(0, MOST_TEXT),
    title: document.title.slice(0, MOST_TEXT),
    is_loaded: document.readyState === 'complete' && isWhole,
    viewport: [window.innerWidth, window.innerHeight],
    scroll: [round(left), round(top)],
    frames: frameNumbers,
    targets: targetNumbers,
    nodes,
  });
}
