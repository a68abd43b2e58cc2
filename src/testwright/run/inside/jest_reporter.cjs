// Reports Jest tests. Runs in the main process of Jest; the tests run in workers.
'use strict';
const { constants } = require('node:os');
const path = require('node:path');
const { Reporting, complaint, named, plain } = require('./reporting.cjs');

const OUTCOMES = { passed: 'passed', failed: 'failed', pending: 'skipped', skipped: 'skipped', disabled: 'skipped', todo: 'skipped' };
const TIMED_OUT = /Exceeded timeout of [\d,]+ ?ms|exceeded timeout/;

class JestReporter {
  constructor(globalConfig) {
    this.reporting = Reporting.open();
    this.bail = globalConfig.bail;
    this.open = new Map(); // path and project -> file
    if (!this.reporting) return;
    if (!globalConfig.runInBand) keepTestsInWorkers(this.reporting.config.runner);
    process.once('SIGTERM', () => process.exit(128 + constants.signals.SIGTERM)); // so that there is an exit to speak at
    this.reporting.atExit = () => this.giveUpOpenFiles();
  }

  onTestFileStart(test) {
    if (this.reporting) this.open.set(fileKey(test), new File(test, this.reporting));
  }

  onTestCaseStart(test, info) {
    const started = this.open.get(fileKey(test))?.start(info);
    if (started) this.reporting.started(started);
  }

  onTestCaseResult(test, result) {
    this.open.get(fileKey(test))?.finish(result);
  }

  onTestFileResult(test, { testResults, testExecError, failureMessage, skipped }) {
    const file = this.open.get(fileKey(test));
    if (!file) return;
    this.open.delete(fileKey(test));
    if (this.reporting.announceOnly) this.reporting.announce(testResults.map((result) => file.identify(result)));
    else for (const result of testResults) if (!file.isKnown(result)) file.finish(result);
    if (testExecError) file.cutOff(testExecError, failureMessage);
    else if (testResults.length === 0 && !skipped) file.fail('no_verdict', { message: 'There is no test in this file.' });
  }

  onRunComplete(_contexts, results) {
    if (!this.reporting) return;
    this.reporting.stopped = Boolean(this.bail) && results.numFailedTests >= this.bail;
    if (results.runExecError) this.reporting.problem('runner_failed', results.runExecError.stack ?? results.runExecError.message);
    this.reporting.isComplete = true;
  }

  /** Jest does not say in advance what a file holds: what the end of the runner cut off has no other name than the file's. */
  giveUpOpenFiles() {
    for (const file of this.open.values()) {
      file.fail('no_verdict', { message: 'The runner ended before this file did; tests in it may not have run.', reason: 'process_exited' });
    }
  }
}

/** A file while its tests run. Tests of one name differ by the order they come in. */
class File {
  constructor(test, reporting) {
    this.path = test.path;
    this.variant = variantOf(test);
    this.reporting = reporting;
    this.reported = new Map(); // test name and try -> how many results of it
    this.listed = new Map(); // test name -> how often it stood in the file's final list
    this.running = new Map(); // test name -> description
  }

  /** Null for a name that was there before: another test of that name, or another try at the same one, who knows. */
  start(info) {
    if (this.running.has(nameOf(info)) || this.reported.has(`${nameOf(info)} 1`)) return null;
    const described = this.describe(info, 1);
    this.running.set(nameOf(info), described);
    return described;
  }

  /** Whether a result from the file's final list was already reported while the file ran. */
  isKnown(result) {
    return next(this.listed, nameOf(result)) <= (this.reported.get(`${nameOf(result)} 1`) ?? 0);
  }

  /** The test a result belongs to: Jest reports each try, and numbers the tries but not the tests. */
  identify(result) {
    return this.describe(result, next(this.reported, `${nameOf(result)} ${result.invocations ?? 1}`));
  }

  finish(result) {
    const described = this.identify(result);
    this.running.delete(nameOf(result));
    const outcome = result.status === 'failed' ? failure(result.failureMessages) : OUTCOMES[result.status] ?? 'no_verdict';
    this.reporting.finished(described, outcome, {
      duration_ms: result.duration ?? 0,
      ...(result.startedAt && { started_at: result.startedAt / 1000 }),
      ...(outcome === 'skipped' ? { message: result.status === 'todo' ? 'todo' : '' } : explained(result.failureMessages)),
    });
  }

  /** The file failed as a whole: it does not load, or its worker went away under it. */
  cutOff(error, failureMessage) {
    const isWorkerGone = /jest worker/i.test(error.message ?? '');
    const signal = /signal=(SIG\w+)/.exec(error.message ?? '')?.[1];
    const reason = signal ? `signal_${constants.signals[signal] ?? signal}` : 'process_exited';
    const gone = signal ? 'crashed' : 'no_verdict';
    for (const test of this.running.values()) this.reporting.finished(test, gone, { message: plain(error.message), reason });
    const fields = explained([error.message || error.stack || failureMessage]);
    // The test that did it has been named; the file still answers for those that were to come after it.
    this.fail(isWorkerGone ? 'no_verdict' : 'error', { ...fields, ...(isWorkerGone && { reason }) });
  }

  fail(outcome, { message, ...rest }) {
    const test = this.reporting.describe(`file ${this.variant} ${this.path}`, this.path, [], { variant: this.variant, nativeId: nativeId(this.path) });
    this.reporting.finished(test, outcome, { message: `${test.file}: ${message.trim()}`, ...rest });
  }

  describe(info, occurrence) {
    const key = `${this.variant} ${this.path} ${nameOf(info)} ${occurrence}`;
    return this.reporting.describe(key, this.path, named([...info.ancestorTitles, info.title]), {
      variant: this.variant,
      line: info.location?.line ?? null,
      nativeId: nativeId(this.path),
    });
  }
}

function next(counts, name) {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

const nameOf = ({ ancestorTitles, title }) => JSON.stringify([...ancestorTitles, title]);
const nativeId = (file) => path.relative(process.cwd(), file);
const variantOf = (test) => test.context.config.displayName?.name ?? '';
const fileKey = (test) => `${variantOf(test)} ${test.path}`;
const failure = (messages) => (messages.some((message) => TIMED_OUT.test(message)) ? 'timeout' : 'failed');

/** Jest gives each failure as one text, the message and then the stack. */
function explained(texts) {
  const errors = texts.map((text) => {
    const whole = plain(text);
    const stackAt = whole.search(/^\s+at .+$/m);
    return { message: (stackAt < 0 ? whole : whole.slice(0, stackAt)).trim(), stack: whole };
  });
  return complaint(errors);
}

/**
 * Jest runs few or fast files inside its main process, where one process.exit() or abort() ends the runner and takes
 * every result that was to come with it. In a worker it ends only its file.
 */
function keepTestsInWorkers(jest) {
  for (const chain of [['jest-runner'], ['jest-cli', 'jest-config', 'jest-runner'], ['jest-cli', '@jest/core', 'jest-config', 'jest-runner'], ['@jest/core', 'jest-config', 'jest-runner']]) {
    try {
      const runner = chain.reduce((from, name) => require.resolve(name, { paths: [path.dirname(from)] }), jest);
      const { prototype } = require(runner).default;
      const { runTests } = prototype;
      prototype.runTests = function inWorkers(tests, watcher, options) {
        return runTests.call(this, tests, watcher, { ...options, serial: false });
      };
      return;
    } catch {
      // Not installed where this chain leads; another one may.
    }
  }
}

module.exports = JestReporter;
