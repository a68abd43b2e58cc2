// Which tests are wanted: exactly named ones, or those a glob matches.
'use strict';

/** What Python's fnmatch would make of `glob`: `*`, `?`, `[abc]`, `[!abc]`; everything else is itself. */
function globPattern(glob) {
  let source = '';
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at];
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '[') {
      const end = endOfSet(glob, at);
      source += end < 0 ? '\\[' : setPattern(glob.slice(at + 1, end));
      if (end >= 0) at = end;
    } else source += escaped(char);
  }
  return new RegExp(`^${source}$`, 'su');
}

/** Where the set that opens at `start` closes; a `]` that comes first belongs to the set. */
function endOfSet(glob, start) {
  const first = glob[start + 1] === '!' ? start + 2 : start + 1;
  return glob.indexOf(']', first + 1);
}

function setPattern(inside) {
  const negated = inside.startsWith('!');
  const members = (negated ? inside.slice(1) : inside).replace(/[\\\]^[]/g, '\\$&');
  return `[${negated ? '^' : ''}${members}]`;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Tells which tests are wanted. A test is `{ id, file, title, variant, native_id }`; an empty title is a whole file. */
class Selection {
  constructor({ only = null, select = [] }) {
    this.globs = select.map(globPattern);
    this.tests = only && new Set(only.filter((test) => test.title.length).map(nameOf));
    this.files = only && new Set(only.filter((test) => !test.title.length).map((test) => test.file));
  }

  get isEverything() {
    return !this.tests && this.globs.length === 0;
  }

  wants(test) {
    if (this.tests && !this.tests.has(nameOf(test)) && !this.files.has(test.file)) return false;
    if (this.globs.length === 0) return true;
    const names = [test.id, test.title.join(' › '), test.title.at(-1) ?? ''];
    return this.globs.some((glob) => names.some((name) => glob.test(name)));
  }
}

// Tests that share a name are wanted, or not, together: runners cannot tell them apart either.
const nameOf = (test) => JSON.stringify([test.file, test.variant, ...test.title]);

module.exports = { Selection, globPattern };
