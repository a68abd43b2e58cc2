// Reports Playwright tests. Loaded beside the user's own reporters, in the process that hands the tests to workers.
'use strict';
const { readFileSync } = require('node:fs');
const { constants } = require('node:os');
const { basename, sep } = require('node:path');
const { Reporting, complaint, named, plain } = require('./reporting.cjs');

const OUR_TRACE = 'testwright-trace'; // as model/artifact_names.py has it
const WORKER_EXIT = /worker process exited unexpectedly \(code=(\w+), signal=(\w+)\)/;

class PlaywrightReporter {
  constructor() {
    delete process.env.PW_TEST_REPORTER; // what the tests start is not ours to listen to
    this.reporting = Reporting.open();
    this.tests = new Map(); // Playwright's id -> our description
    this.candidates = []; // what was loaded, known even when Playwright then refuses to run
    this.brokenFiles = new Set();
    this.failures = 0;
    if (this.reporting) this.letLoad = guardLoading();
  }

  printsToStdio() {
    return false;
  }

  // Since Playwright 1.62. Before that, options on the command line select, a little less exactly.
  async preprocess({ config, suite, testRun }) {
    if (!this.reporting) return;
    this.candidates = suite.allTests().map((test) => this.describe(test));
    if (this.reporting.selection.isEverything) return;
    const isFixed = (project) => config.projects.some((other) => other.dependencies.includes(project.title) || other.teardown === project.title);
    for (const project of suite.suites) if (!isFixed(project)) this.leaveOut(project, testRun);
  }

  /** Exclude what is not wanted below `suite`, and `suite` itself when nothing is left: its dependencies need not run. */
  leaveOut(suite, testRun) {
    for (const child of [...suite.suites]) this.leaveOut(child, testRun);
    for (const test of [...suite.tests]) if (!this.reporting.selection.wants(this.describe(test))) testRun.exclude(test);
    if (suite.allTests().length === 0) testRun.exclude(suite);
  }

  onBegin(config, suite) {
    if (!this.reporting) return;
    this.letLoad();
    this.config = config;
    this.mayDropTraces = this.reporting.config.trace_is_ours === true && wantsFewerTraces(config);
    this.all = suite.allTests();
    this.reporting.announce(this.all.map((test) => this.describe(test)));
  }

  onTestBegin(test) {
    this.reporting?.started(this.describe(test));
  }

  onTestEnd(test, result) {
    if (!this.reporting) return;
    const outcome = outcomeOf(test, result);
    if (!['passed', 'skipped'].includes(outcome)) this.failures += 1;
    this.reporting.finished(this.describe(test), outcome, {
      ...(!workerExit(result) && { duration_ms: result.duration }),
      started_at: result.startTime.getTime() / 1000,
      ...explanation(test, result, outcome),
      stdout: printed(result.stdout),
      stderr: printed(result.stderr),
      artifacts: result.attachments
        .filter((attachment) => attachment.path)
        .map(({ name, path, contentType }) => ({
          name: name === 'trace' && outcome === 'passed' && this.isOurs(test, result, path) ? OUR_TRACE : name,
          path: this.reporting.projectName(path),
          content_type: contentType,
        })),
    });
  }

  /** Whether a trace of a test that passed at once is there only since we asked for it. */
  isOurs(test, result, path) {
    if (!this.mayDropTraces || result.retry > 0 || basename(path) !== 'trace.zip') return false;
    const folder = test.parent.project()?.outputDir;
    return Boolean(folder) && path.startsWith(folder + sep) && !speaksOfTraces(fileOf(test));
  }

  onError(error) {
    if (!this.reporting) return;
    const { file, line } = error.location ?? {};
    const isLoadError = this.all.length === 0;
    if (isLoadError && file) {
      this.brokenFiles.add(file);
      const { message, ...rest } = complaint([error]);
      this.reporting.fileFailed(file, 'error', { message: `${this.reporting.projectName(file)}:${line}: ${message}`, ...rest });
      return;
    }
    const message = plain(error.message ?? error.value);
    this.reporting.problem(/^(Error: )?No tests found/.test(message) ? 'no_tests' : 'runner_failed', message, { file });
    this.hasOtherErrors = true;
  }

  onEnd({ status }) {
    if (!this.reporting) return;
    this.letLoad();
    // Playwright runs nothing when one file does not load. Announced, the tests of the other files can be asked for again.
    if (this.brokenFiles.size > 0 && this.all.length === 0 && !this.hasOtherErrors && !this.config.shard) {
      const loaded = this.candidates.length > 0 ? this.candidates : this.reporting.config.files.map((file) => this.wholeFile(file));
      this.reporting.announce(loaded.filter((test) => !this.brokenFiles.has(test.absolute)));
    } else if (!this.reporting.announceOnly) {
      this.accountForTheRest(status);
    }
    this.reporting.isComplete = true;
  }

  /** Tests that Playwright chose not to run: each must have a reason. */
  accountForTheRest(status) {
    if (this.config.maxFailures > 0 && this.failures >= this.config.maxFailures) {
      this.reporting.stopped = true;
      return;
    }
    const [outcome, message] =
      status === 'timedout'
        ? ['interrupted', "Not run: the configuration's globalTimeout was up."]
        : status === 'interrupted'
          ? ['interrupted', 'Not run: the run was stopped.']
          : ['skipped', 'Not run: a project it depends on failed.'];
    for (const test of this.reporting.unfinished()) this.reporting.finished(test, outcome, { message, reason: 'did_not_run' });
  }

  // Before Playwright 1.62 reporters do not learn what was loaded when one file was not.
  wholeFile(file) {
    return this.reporting.describe(`file ${file}`, file, []);
  }

  describe(test) {
    const known = this.tests.get(test.id);
    if (known) return known;
    const [, project, , ...title] = test.titlePath();
    const file = fileOf(test);
    const line = test.location.file === file ? test.location.line : null;
    const described = this.reporting.describe(test.id, file, named(title), { variant: project, line, nativeId: test.id });
    this.tests.set(test.id, described);
    return described;
  }
}

/** Whether the configuration as it is written, without our option, would keep no trace of a test that passes; false: it is unknown. */
function wantsFewerTraces(config) {
  const loaded = require.cache[config.configFile]?.exports;
  const own = loaded?.default?.default ?? loaded?.default ?? loaded;
  if (!own || typeof own !== 'object') return false;
  const modes = [own, ...(own.projects ?? [])].map(({ use }) => use?.trace?.mode ?? use?.trace ?? 'off');
  return modes.every((mode) => typeof mode === 'string' && mode !== 'on');
}

const speaking = new Map();

/** A test file may ask for traces by itself. */
function speaksOfTraces(file) {
  if (!speaking.has(file)) speaking.set(file, /\btrac(e|ing)\b/.test(readFileSync(file, 'utf8')));
  return speaking.get(file);
}

/** The file that was loaded; the test itself may have been declared by a function elsewhere. */
function fileOf(test) {
  let suite = test.parent;
  while (suite.type !== 'file') suite = suite.parent;
  return suite.location.file;
}

function outcomeOf(test, result) {
  const { status } = result;
  if (status === 'skipped' || status === 'interrupted') return status;
  const exit = workerExit(result);
  if (exit) return exit.outcome;
  if (status === 'timedOut') return 'timeout';
  if (test.expectedStatus === 'failed') return status === 'failed' ? 'passed' : 'failed'; // test.fail()
  if (status === 'failed') return failedInHook(result) ? 'error' : 'failed';
  return 'passed';
}

/** Whether set-up or tear-down failed, and the test's own steps did not. */
function failedInHook(result) {
  const failed = result.steps.filter((step) => step.error);
  return failed.length > 0 && failed.every((step) => step.category === 'hook');
}

function explanation(test, result, outcome) {
  if (outcome === 'skipped') {
    if (test.expectedStatus !== 'skipped') return { message: 'Not run: a failure before it kept it from running.', reason: 'did_not_run' };
    const why = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
    return { message: plain(why?.description ?? '') };
  }
  if (outcome === 'passed') return {};
  if (outcome === 'failed' && result.status === 'passed') return { message: 'Expected to fail, but passed.' };
  return { ...complaint(result.errors), ...wholeStory(result.errors), reason: workerExit(result)?.reason ?? '' };
}

/** Where a test's time was up, the next error says in what: without it the message would only give the limit. */
function wholeStory(errors) {
  if (errors.length < 2) return {};
  const isBareLimit = !errors[0].location && /^Test timeout of \d+ms exceeded/.test(plain(errors[0].message));
  return {
    ...(isBareLimit && { message: plain(`${errors[0].message}\n\n${errors[1].message}`) }),
    stack: plain(errors.map((error) => error.stack ?? '').filter(Boolean).join('\n\n')),
  };
}

/** How the worker went away under the test, if it did. */
function workerExit(result) {
  const [found] = result.errors.map((error) => WORKER_EXIT.exec(error.message ?? '')).filter(Boolean);
  if (!found) return null;
  const [, , signal] = found;
  return signal === 'null'
    ? { outcome: 'no_verdict', reason: 'process_exited' }
    : { outcome: 'crashed', reason: `signal_${constants.signals[signal] ?? signal}` };
}

const printed = (chunks) => plain(chunks.map(String).join(''));

/** Until the tests are loaded, a file that calls process.exit() would take the whole runner with it: make it an error of that file. */
function guardLoading() {
  const exit = process.exit;
  process.exit = (code) => {
    const caller = new Error().stack.split('\n')[2] ?? '';
    if (/node_modules|node:internal/.test(caller)) return exit.call(process, code);
    const error = new Error(`process.exit(${code ?? ''}) was called while the tests were being loaded`);
    Error.captureStackTrace(error, process.exit); // so that it points at the file that called
    throw error;
  };
  return () => {
    process.exit = exit;
  };
}

module.exports = PlaywrightReporter;
