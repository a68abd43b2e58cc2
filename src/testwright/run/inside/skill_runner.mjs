// Runs agent-skill test files, one after another, and reports each over the private channel.
//
// A file decides nothing but what its function returns. What it prints is text; a file that ends the process, waits
// without end, exports nothing or returns something else than counts has no verdict. All that is needed here is taken
// before the first file is loaded, and what a file has replaced is put back before anything is reported.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { inspect, promisify } from 'node:util';
import { Printed } from './skill_output.mjs';
import { Surroundings } from './skill_surroundings.mjs';

const require = createRequire(import.meta.url);
const { openChannel, clipped } = require('./channel.cjs');

const MOST_ERRORS = 200;
const ERROR_LIMIT = 8192; // characters; with MOST_ERRORS of them a record stays well below the channel's limit
const OUTPUT_LIMIT = 65000; // characters of each stream
const now = performance.now.bind(performance);
const clock = Date.now.bind(Date);
const exit = process.exit.bind(process);
const turn = promisify(setImmediate);

const channel = openChannel();
if (channel === null) throw new Error('This runner is started by `testwright run`; it has nobody to report to.');
delete require.cache[require.resolve('./channel.cjs')]; // or a test that finds the file could ask it for the channel

const surroundings = new Surroundings();
const stdout = new Printed(process.stdout, OUTPUT_LIMIT);
const stderr = new Printed(process.stderr, OUTPUT_LIMIT);
let running = null; // the test, and when it began
let fatal = null; // what Node is about to end the process for
let drained = false; // nothing is left that could go on
let failures = 0;
let ended = false;

process.on('uncaughtExceptionMonitor', (error) => { fatal = { error }; });
process.on('beforeExit', () => { drained = true; });
process.on('exit', (code) => {
  surroundings.putBack();
  if (running !== null) finish(cutShort(code));
  end(code);
});

const { tests, fail_fast: failFast } = channel.config;
channel.send('collected', { tests });
runAll();

async function runAll() {
  let stopped = false;
  await turn(); // Node itself listens for the exit while this very module is being loaded
  surroundings.remember();
  for (const [index, test] of tests.entries()) {
    begin(test);
    const verdict = await verdictOn(test.file, index);
    finish(verdict);
    const isLast = index === tests.length - 1;
    stopped = !isLast && failFast === true && failures > 0;
    // What this file changed or left running must not reach the next one, which gets a new process.
    if (isLast || stopped || surroundings.disturbed || surroundings.somethingStillRuns()) break;
  }
  const code = failures > 0 ? 1 : 0;
  end(code, stopped);
  exit(code);
}

function begin(test) {
  running = { test, since: now(), startedAt: clock() / 1000 };
  fatal = null;
  drained = false;
  channel.send('started', { test: test.key });
}

function finish(verdict) {
  const { test, since, startedAt } = running;
  running = null;
  if (verdict.outcome !== 'passed') failures += 1;
  const printed = { stdout: text(stdout.take()), stderr: text(stderr.take()) };
  const time = { duration_ms: now() - since, started_at: startedAt };
  channel.send('finished', { test: test.key, ...time, ...printed, ...verdict });
}

function end(code, stopped = false) {
  if (ended) return;
  ended = true;
  channel.send('end', { exit_code: code, stopped });
}

// --- one file -------------------------------------------------------------------------------

async function verdictOn(file, index) {
  let call;
  try {
    process.chdir(path.dirname(file));
    const url = pathToFileURL(file);
    if (index > 0) url.searchParams.set('testwright', String(index)); // an earlier file may have imported this one
    call = entryPoint(await import(url.href));
  } catch (error) {
    surroundings.putBack();
    return thrown(error, { outcome: 'error', where: syntaxErrorPlace(error, file) });
  }
  if (call === null) return noVerdict('It must export a default function or a runTests function.');
  try {
    const result = await call();
    await turn(); // an unhandled rejection surfaces now, and ends the process as it should
    surroundings.putBack();
    return judged(result);
  } catch (error) {
    surroundings.putBack();
    return thrown(error, { outcome: error?.code === 'ERR_ASSERTION' ? 'failed' : 'error' });
  }
}

/** What to call: a default function, a default object's `default` or `runTests`, or the export `runTests`. */
function entryPoint(module) {
  const main = module.default;
  if (typeof main === 'function') return () => main();
  if (typeof main?.default === 'function') return () => main.default();
  if (typeof main?.runTests === 'function') return () => main.runTests();
  if (typeof module.runTests === 'function') return () => module.runTests();
  return null;
}

function judged(result) {
  if (result === null || typeof result !== 'object') {
    return noVerdict(`It returned ${shown(result)} instead of { passed, failed, errors }.`);
  }
  const { passed, failed, errors = [] } = result;
  for (const [name, count] of [['passed', passed], ['failed', failed]]) {
    if (!Number.isSafeInteger(count) || count < 0) {
      return noVerdict(`The \`${name}\` it returned is ${shown(count)}, not a count.`);
    }
  }
  if (!Array.isArray(errors)) return noVerdict(`The \`errors\` it returned are ${shown(errors)}, not a list.`);
  if (passed + failed === 0) return noVerdict('It ran no checks: passed and failed are both 0.');
  const verdict = { outcome: failed > 0 ? 'failed' : 'passed', counts: { passed, failed }, errors: complaints(errors) };
  if (failed > 0) verdict.message = verdict.errors[0] ?? `${failed} of ${passed + failed} checks failed.`;
  return verdict;
}

function cutShort(code) {
  if (fatal !== null) return thrown(fatal.error, { outcome: 'error' });
  return noVerdict(
    drained
      ? 'It waits for a promise that nothing is left to settle.'
      : `It ended its process with exit code ${code} before it had returned a result.`,
  );
}

function noVerdict(message) {
  return { outcome: 'no_verdict', message: text(message), errors: [text(message)] };
}

function thrown(error, { outcome, where = '' }) {
  let message;
  let stack = '';
  try {
    message = typeof error?.message === 'string' && error.message !== '' ? error.message : shown(error);
    stack = typeof error?.stack === 'string' ? error.stack : '';
  } catch {
    message = 'It threw something that cannot be shown.';
  }
  if (where) message = `${message} (${where})`;
  return { outcome, message: text(message), stack: text(stack), errors: [text(message)] };
}

/** Where a file does not parse. Node tells only its own standard error, so a second Node is asked. */
function syntaxErrorPlace(error, file) {
  if (!(error instanceof SyntaxError)) return '';
  const check = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10000 });
  const line = /^(?:file:\/\/)?\/.*:(\d+)$/m.exec(check.stderr ?? '');
  return line === null ? '' : `line ${line[1]} of ${path.basename(file)}`;
}

// --- text -----------------------------------------------------------------------------------

function complaints(errors) {
  const kept = Array.from(errors.slice(0, MOST_ERRORS), (error) => text(complaint(error), ERROR_LIMIT));
  const left = errors.length - kept.length;
  return left > 0 ? [...kept, `… and ${left} more`] : kept;
}

function complaint(error) {
  if (typeof error === 'string') return error;
  return typeof error?.message === 'string' ? error.message : shown(error);
}

function shown(value) {
  try {
    return inspect(value, { breakLength: Infinity, maxArrayLength: 20, maxStringLength: 500 });
  } catch {
    return 'something that cannot be shown';
  }
}

/** Short enough to send, and without the half characters that no encoding can carry. */
function text(value, limit) {
  return Buffer.from(clipped(value, limit), 'utf8').toString('utf8');
}
