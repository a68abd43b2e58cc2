// What one test file could change under the next, or under the runner: noticed, and put back where that is possible.
import fs from 'node:fs';

const { getOwnPropertyDescriptor, defineProperty, getOwnPropertyNames, is } = Object;
const { deleteProperty } = Reflect;

// All properties of these, and of the others only the functions that tests like to replace.
const WATCHED_WHOLE = [globalThis, console, JSON, Math, Date, Promise, Buffer, fs, fs.promises];
const WATCHED_IN_PART = [
  [process, ['exit', 'reallyExit', 'abort', 'kill', 'emit', 'on', 'once', 'cwd', 'chdir', 'nextTick', 'hrtime', 'send']],
  [process.stdout, ['write', 'end']], // looking them up also opens them, which must not count as left behind later
  [process.stderr, ['write', 'end']],
];

export class Surroundings {
  #properties = [];
  #disturbed = false;
  #env = '';
  #listeners = '';
  #active = new Map();

  /** Take the present state for the one to come back to. */
  remember() {
    const watched = [...WATCHED_WHOLE.map((target) => [target, getOwnPropertyNames(target)]), ...WATCHED_IN_PART];
    this.#properties = watched.map(([target, names]) => ({
      target,
      whole: WATCHED_WHOLE.includes(target),
      names: new Map(names.map((name) => [name, getOwnPropertyDescriptor(target, name)])),
    }));
    this.#env = environment();
    this.#listeners = listeners();
    this.#active = activeResources();
  }

  /** Undo what was replaced. */
  putBack() {
    for (const { target, whole, names } of this.#properties) {
      for (const [name, before] of names) {
        if (same(before, getOwnPropertyDescriptor(target, name), target)) continue;
        this.#disturbed = true;
        restore(target, name, before);
      }
      if (whole && getOwnPropertyNames(target).some((name) => !names.has(name))) this.#disturbed = true;
    }
    if (this.#env !== environment() || this.#listeners !== listeners()) this.#disturbed = true;
  }

  /** True when a file has changed anything, whether it could be put back or not. */
  get disturbed() {
    return this.#disturbed;
  }

  /** True when timers, servers, sockets or child processes have been left behind. */
  somethingStillRuns() {
    return [...activeResources()].some(([kind, count]) => count > (this.#active.get(kind) ?? 0));
  }
}

function same(before, now, target) {
  if (before === undefined || now === undefined) return before === now;
  if (before.get !== undefined && now.get === undefined) {
    return is(before.get.call(target), now.value); // a global that Node loads when it is first looked at
  }
  return is(before.value, now.value) && before.get === now.get && before.set === now.set;
}

function restore(target, name, before) {
  try {
    if (before === undefined) deleteProperty(target, name);
    else defineProperty(target, name, before);
  } catch {
    // Frozen by the test: it stays noticed, and the process is not used again.
  }
}

function environment() {
  return JSON.stringify(Object.entries(process.env).sort());
}

function listeners() {
  return process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`).sort().join('\n');
}

function activeResources() {
  const counts = new Map();
  // Reads and closes in flight end by themselves; only what would keep a process alive counts.
  const kinds = (process.getActiveResourcesInfo?.() ?? []).filter((kind) => !/Req|^Immediate$/.test(kind));
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
