// Reports node:test tests. Runs in the process that starts one child for each test file.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { createRequire } from 'node:module';
import path from 'node:path';

const { Reporting, complaint, named, plain } = createRequire(import.meta.url)('./reporting.cjs');

const SET_UP = new Set(['hookFailed']);
const PRINTED_LIMIT = 65536;

export default async function* report(events) {
  const reporting = Reporting.open();
  if (!reporting) return;
  const run = new Run(reporting);
  process.once('SIGTERM', () => run.stopped());
  for await (const { type, data } of events) run.receive(type, data);
  reporting.isComplete = true;
}

class Run {
  constructor(reporting) {
    this.reporting = reporting;
    this.files = new Map(); // path -> File, for files that a process was started for
    const { test_seconds: seconds } = reporting.config;
    this.failed = { asked: false, unasked: false };
    // node:test cannot be asked for single tests. What it ran besides is not reported, and must not speak in the exit code.
    process.on('exit', () => {
      if (this.failed.unasked && !this.failed.asked) process.exitCode = 0;
    });
    if (seconds) setInterval(() => this.endOverdue(seconds * 1000), 100).unref();
  }

  receive(type, data) {
    // Events of tests that a helper declared name the helper's file; newer versions also tell whose they are.
    const place = data.entryFile ?? data.file;
    if (!place) return;
    const isFile = data.nesting === 0 && path.resolve(data.name ?? '') === place;
    if (type === 'test:dequeue' && isFile) this.files.set(place, new File(place, this));
    const file = this.files.get(place) ?? this.onlyOpenFile();
    if (!file) return;
    file.lastEventAt = Date.now();
    if (!isFile) file.receive(type, data);
    else if (type === 'test:complete') file.end(data);
  }

  finished(test, outcome, fields) {
    const isAsked = this.reporting.selection.wants(test) || test.title.length === 0;
    if (outcome !== 'passed' && outcome !== 'skipped') this.failed[isAsked ? 'asked' : 'unasked'] = true;
    if (isAsked) this.reporting.finished(test, outcome, fields);
  }

  onlyOpenFile() {
    const open = [...this.files.values()].filter((file) => !file.isOver);
    return open.length === 1 ? open[0] : undefined;
  }

  /** node:test cannot end a test that never yields, and its own limit is one for a whole file. End the file's process. */
  endOverdue(milliseconds) {
    for (const file of this.files.values()) {
      if (file.isOver || file.isOverdue || Date.now() - file.busySince() <= milliseconds) continue;
      file.isOverdue = true;
      const child = childRunning(file.path);
      if (child) process.kill(child, 'SIGKILL');
    }
  }

  /** The last moment to say which files were at work. */
  stopped() {
    for (const file of this.files.values()) if (!file.isOver) file.sayItWasRunning();
    process.exit(128 + constants.signals.SIGTERM);
  }
}

/** One test file. Its events come twice over: as things happen (dequeue, complete), and in the order of declaration. */
class File {
  constructor(file, run) {
    this.path = file;
    this.run = run;
    this.reporting = run.reporting;
    this.nativeId = path.relative(process.cwd(), file);
    this.titles = []; // of the groups around the next result, by nesting
    this.counts = new Map();
    this.waiting = []; // tests that were declared and have no result yet
    this.printed = '';
    this.lastEventAt = Date.now();
    this.hasTests = false;
    this.isOver = false;
    this.isOverdue = false;
  }

  receive(type, data) {
    switch (type) {
      case 'test:stderr':
        if (this.printed.length < PRINTED_LIMIT) this.printed += data.message;
        break;
      case 'test:enqueue':
        this.waiting.push({ ...spot(data), path: this.pathTo(data), since: null });
        break;
      case 'test:dequeue':
        this.begin(data);
        break;
      case 'test:start':
        this.titles.length = data.nesting;
        this.titles[data.nesting] = data.name;
        break;
      case 'test:pass':
      case 'test:fail':
        this.result(type, data);
        break;
    }
  }

  /** The names of the groups around a test that has just been declared: those that have begun and have no result yet. */
  pathTo(data) {
    const title = [data.name];
    for (let nesting = data.nesting - 1; nesting >= 0; nesting -= 1) {
      const around = this.waiting.findLast((other) => other.nesting === nesting && other.since !== null);
      title.unshift(around?.name ?? '');
    }
    return title;
  }

  begin(data) {
    const test = this.waiting.find((other) => other.since === null && isSame(other, data));
    if (test) test.since = Date.now();
  }

  /** Since when the file has been doing what it is doing now: a test, or loading. */
  busySince() {
    const begun = this.waiting.filter(({ since }) => since !== null).map(({ since }) => since);
    return begun.length > 0 ? Math.max(...begun) : this.lastEventAt;
  }

  result(type, data) {
    const at = this.waiting.findIndex((other) => isSame(other, data));
    if (at >= 0) this.waiting.splice(at, 1);
    this.hasTests = true;
    const title = [...this.titles.slice(0, data.nesting), data.name];
    const error = data.details?.error;
    const isGroup = data.details?.type === 'suite';
    // A group fails with its tests; it is news only when its own set-up or tear-down failed.
    if (isGroup && !(type === 'test:fail' && SET_UP.has(error?.failureType))) return;
    this.run.finished(this.describe(title, data.line), outcomeOf(type, data, isGroup), {
      duration_ms: data.details?.duration_ms,
      ...explanation(type, data),
    });
  }

  /** The file's process has ended. */
  end({ details }) {
    this.isOver = true;
    const error = details?.error;
    const passed = details?.passed ?? !error;
    const cause = this.isOverdue ? 'timeout' : error?.signal ? 'crashed' : 'no_verdict';
    const fields = this.isOverdue
      ? { message: 'Still running when its time was up.' }
      : { message: `Its process ${howItEnded(error)} before the test had ended.`, reason: reasonOf(error) };
    const begun = this.waiting.filter(({ since }) => since !== null);
    for (const test of this.waiting) {
      const isAtWork = begun.length === 0 || begun.at(-1) === test;
      // Groups look like tests here: those that other tests lie in are groups.
      if (this.waiting.some((other) => other !== test && other.nesting > test.nesting && test.since !== null)) continue;
      const reason = isAtWork ? fields : { message: 'Not run: its file ended before it began.', reason: 'did_not_run' };
      this.run.finished(this.describe(test.path, test.line), isAtWork ? cause : 'no_verdict', reason);
    }
    const wasCutOff = this.waiting.length > 0;
    this.waiting = [];
    if (wasCutOff) return;
    if (this.isOverdue) this.fail('timeout', 'Still running when its time was up; it had not declared its tests yet.');
    else if (passed && !this.hasTests) this.fail('no_verdict', 'It ended without having run a test.');
    else if (!passed && error?.failureType !== 'subtestsFailed') this.failOutsideTests(error);
  }

  failOutsideTests(error) {
    const lines = plain(this.printed).trim();
    const outcome = error?.signal ? 'crashed' : 'error';
    this.fail(outcome, lines ? `Its process ${howItEnded(error)}.\n${lines}` : plain(error?.cause?.message ?? error?.message ?? 'It failed.'), {
      stack: lines,
      reason: reasonOf(error),
    });
  }

  fail(outcome, message, fields = {}) {
    const test = this.reporting.describe(`file ${this.path}`, this.path, [], { nativeId: this.nativeId });
    this.run.finished(test, outcome, { message: `${test.file}: ${message}`, ...fields });
  }

  sayItWasRunning() {
    const test = this.waiting.findLast(({ since }) => since !== null);
    const described = test
      ? this.describe(test.path, test.line)
      : this.reporting.describe(`file ${this.path}`, this.path, [], { nativeId: this.nativeId });
    this.reporting.started(described);
  }

  describe(title, line) {
    const name = JSON.stringify(title);
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const key = `${this.path} ${name} ${count}`;
    return this.reporting.describe(key, this.path, named(title), { line: line ?? null, nativeId: this.nativeId });
  }
}

const spot = ({ name, nesting, line, column, file, testId }) => ({ name, nesting, line, column, file, testId });

/** Whether two events are about the same test. Older versions give tests no number. */
function isSame(one, other) {
  if (one.testId !== undefined && other.testId !== undefined && one.file === other.file) return one.testId === other.testId;
  return ['name', 'nesting', 'line', 'column', 'file'].every((field) => one[field] === other[field]);
}

function outcomeOf(type, { skip, todo, details }, isGroup) {
  if (skip !== undefined && skip !== false) return 'skipped';
  if (todo !== undefined && todo !== false) return 'skipped'; // a failing todo fails nothing, by node:test's own rule
  if (type === 'test:pass') return 'passed';
  const failure = details?.error?.failureType;
  if (failure === 'testTimeoutFailure') return 'timeout';
  if (failure === 'cancelledByParent') return 'error';
  return isGroup || SET_UP.has(failure) ? 'error' : 'failed';
}

function explanation(type, { skip, todo, details }) {
  if (skip || todo) return { message: plain([skip, todo].find((reason) => typeof reason === 'string') ?? (todo ? 'todo' : '')) };
  if (type === 'test:pass') return {};
  const error = details?.error;
  const cause = error?.cause instanceof Error || typeof error?.cause === 'object' ? error.cause : null;
  const told = cause ?? { message: String(error?.cause ?? error?.message ?? ''), stack: error?.stack };
  return { ...complaint([{ message: told.message, stack: told.stack }]), reason: SET_UP.has(error?.failureType) ? 'hook_failed' : '' };
}

const howItEnded = (error) => (error?.signal ? `was ended by ${error.signal}` : `exited with ${error?.exitCode ?? 0}`);
const reasonOf = (error) => (error?.signal ? `signal_${constants.signals[error.signal] ?? error.signal}` : 'process_exited');

/** The child process that runs a test file: node names the file on its command line. */
function childRunning(file) {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const runs = (child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').includes(file);
    return Number(children.find((child) => child && runs(child)));
  } catch {
    return 0; // not on this system, or gone since
  }
}
