// What our reporters for JavaScript runners share: describing tests, leaving out what was not asked for, the last record.
'use strict';
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { openChannel, clipped } = require('./channel.cjs');
const { Selection } = require('./selection.cjs');

const SUCCESSES = new Set(['passed', 'skipped']);
const AT_ONCE = 500; // tests in one record

class Reporting {
  /** A reporting to the process that listens, or null when none does. */
  static open() {
    const channel = openChannel();
    return channel && new Reporting(channel);
  }

  constructor(channel) {
    this.channel = channel;
    this.config = channel.config;
    this.selection = new Selection(this.config);
    this.announceOnly = Boolean(this.config.announce_only);
    this.announced = new Map(); // key -> test
    this.finishedKeys = new Set();
    this.isComplete = false; // the runner itself has said that it is done
    this.stopped = false;
    this.atExit = null; // called when the process exits before the runner is done
    this.sayLastWordAtExit();
  }

  /**
   * The exit code is certain only once every exit listener has run, and a listener may end the process at once.
   * A runner that was not done yet sends no last record, unless `atExit` can account for what it left.
   */
  sayLastWordAtExit() {
    const { emit, reallyExit } = process;
    process.emit = (name, ...rest) => {
      if (name === 'exit') this.accountOnce();
      const result = emit.call(process, name, ...rest);
      if (name === 'exit') this.lastWord(process.exitCode ?? rest[0] ?? 0);
      return result;
    };
    process.reallyExit = (code) => {
      this.lastWord(code ?? 0);
      return reallyExit.call(process, code);
    };
  }

  accountOnce() {
    const account = this.atExit;
    this.atExit = null;
    if (account && !this.isComplete) account();
  }

  lastWord(code) {
    if (this.isComplete) this.channel.send('end', { exit_code: Number(code), stopped: this.stopped });
    this.isComplete = false;
  }

  describe(key, file, title, { variant = '', line = null, nativeId = '' } = {}) {
    const name = this.projectName(file);
    const named = title.map((part) => clipped(stripVTControlCharacters(part), 1000));
    const id = `${this.config.framework}:${name}::${named.join(' › ')}${variant ? ` [${variant}]` : ''}`;
    return { key, id, file: name, absolute: file, title: named, variant, line, native_id: nativeId };
  }

  /** `file` as the project calls it: from its root where it lies inside. */
  projectName(file) {
    const name = path.relative(this.config.project, file);
    return name.startsWith('..') || path.isAbsolute(name) ? file : name.split(path.sep).join('/');
  }

  announce(tests) {
    const fresh = tests.filter((test) => !this.announced.has(test.key) && this.selection.wants(test));
    for (let start = 0; start < fresh.length; start += AT_ONCE) {
      this.channel.send('collected', { tests: fresh.slice(start, start + AT_ONCE).map(wire) });
    }
    for (const test of fresh) this.announced.set(test.key, test);
  }

  started(test) {
    if (!this.announceOnly && this.selection.wants(test)) this.channel.send('started', { test: wire(test) });
  }

  /** What came along unasked, such as a set-up project, is worth a word only when it fails. */
  finished(test, outcome, fields = {}) {
    if (!this.selection.wants(test) && SUCCESSES.has(outcome)) return;
    if (this.announceOnly && test.title.length) return;
    this.finishedKeys.add(test.key);
    this.channel.send('finished', { test: wire(test), outcome, ...fields });
  }

  /** A file that would not load, or ended before its tests did. */
  fileFailed(file, outcome, fields, nativeId = '') {
    this.finished(this.describe(`file ${file}`, file, [], { nativeId }), outcome, fields);
  }

  unfinished() {
    return [...this.announced.values()].filter((test) => !this.finishedKeys.has(test.key));
  }

  problem(code, message, { file = '', nextStep = '' } = {}) {
    this.channel.send('problem', { code, message: plain(message), file: file && this.projectName(file), next_step: nextStep });
  }
}

const wire = ({ key, absolute, title, variant, line, native_id }) => ({ key, file: absolute, title, variant, line, native_id });

/** `text` without colours, and not too long. */
function plain(text) {
  return clipped(stripVTControlCharacters(String(text ?? '')));
}

/** The fields of a record that errors stand for: the first is what people read first. */
function complaint(errors) {
  const all = errors.map((error) => (typeof error === 'string' ? { message: error } : error ?? {}));
  const messages = all.map((error) => plain(error.message || error.value || error.stack || 'It failed without saying why.'));
  if (messages.length === 0) return {};
  return { message: messages[0], stack: plain(all[0].stack ?? ''), errors: messages.length > 1 ? messages : [] };
}

/** Titles may be empty (an unnamed group): such parts tell a reader nothing. */
const named = (title) => title.filter((part) => part !== '');

module.exports = { Reporting, complaint, named, plain };
