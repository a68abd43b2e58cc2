// Reports Vitest tests. Runs in the main process of Vitest; the tests run in workers.
import { createRequire } from 'node:module';
import path from 'node:path';

const { Reporting, complaint, named, plain } = createRequire(import.meta.url)('./reporting.cjs');

const TIMED_OUT = /^(Test|Hook) timed out in \d+ms/;
const WORKER_EXIT = /worker.*(exited unexpectedly|emitted error)|Worker exited|ERR_WORKER|Channel closed|Failed to (start|terminate) .*worker/is;

const GRACE_MS = 2000; // beyond the time limits that Vitest itself keeps
const LOADING_MS = 60_000;

export default class VitestReporter {
  constructor() {
    this.reporting = Reporting.open();
    this.running = new Map(); // key -> test
    this.openModules = new Map(); // module id -> { module, patience, lastEventAt }
    this.waiting = new Map(); // files that no worker has begun with
    this.failures = 0;
  }

  onInit(vitest) {
    this.bail = vitest.config.bail;
    if (!this.reporting) return;
    setInterval(() => this.watch(), 250).unref();
    this.reporting.atExit = () => this.giveUp('no_verdict', { message: 'The runner ended before its file did.', reason: 'process_exited' });
  }

  onTestRunStart(specifications) {
    for (const { moduleId, project } of specifications) this.waiting.set(`${project.name} ${moduleId}`, { moduleId, project });
  }

  // A worker has begun with the file.
  onTestModuleQueued(module) {
    this.waiting.delete(`${module.project.name} ${module.moduleId}`);
    this.openModules.set(module.id, { module, patience: LOADING_MS, lastEventAt: Date.now() });
  }

  onTestModuleCollected(module) {
    const tests = [...module.children.allTests()];
    this.openModules.set(module.id, { module, patience: patienceWith(module, tests), lastEventAt: Date.now() });
    this.reporting?.announce(tests.map((test) => this.describe(test)));
  }

  /** Vitest cannot end a test that never yields, and would wait for its worker without end. */
  watch() {
    const isStuck = ({ patience, lastEventAt }) => Date.now() - lastEventAt > patience;
    const stuck = [...this.openModules.values()].filter(isStuck);
    if (stuck.length === 0 || stuck.length < this.openModules.size) return; // the others may go on
    this.giveUp('timeout', { message: 'Its file stopped answering: it was still busy when its time was up.' });
    process.exit(1);
  }

  /** Account for every file, so that what could not run here is asked for again from a fresh runner. */
  giveUp(outcome, fields) {
    for (const { module } of this.openModules.values()) this.cutOff(module, outcome, fields);
    this.reporting.announce([...this.waiting.values()].map((file) => this.describeFile(file)));
    this.reporting.isComplete = true;
  }

  noteActivity(test) {
    const open = this.openModules.get(test.module.id);
    if (open) open.lastEventAt = Date.now();
  }

  onTestCaseReady(test) {
    if (!this.reporting) return;
    this.noteActivity(test);
    const described = this.describe(test);
    this.running.set(test.id, described);
    this.reporting.started(described);
  }

  onTestCaseResult(test) {
    if (!this.reporting) return;
    this.noteActivity(test);
    const described = this.describe(test);
    const { state, errors = [], note } = test.result();
    const { duration, startTime, retryCount = 0 } = test.diagnostic() ?? {};
    this.running.delete(test.id);
    if (state === 'skipped') {
      this.reporting.finished(described, 'skipped', { duration_ms: 0, message: plain(note ?? (test.options.mode === 'todo' ? 'todo' : '')) });
      return;
    }
    // Vitest keeps the errors of the tries before the last one in the same list.
    for (let earlier = 0; earlier < retryCount; earlier += 1) {
      this.reporting.finished(described, 'failed', { duration_ms: 0, ...complaint([errors[earlier] ?? 'It failed, and was tried again.']) });
    }
    const own = state === 'failed' ? errors.slice(Math.min(retryCount, Math.max(errors.length - 1, 0))) : [];
    if (state === 'failed') this.failures += 1;
    this.reporting.finished(described, state === 'failed' ? failure(own) : 'passed', {
      duration_ms: duration,
      ...(startTime && { started_at: startTime / 1000 }),
      ...complaint(own),
    });
  }

  /** A beforeAll or afterAll that failed belongs to no test: its group answers for it. */
  onTestSuiteResult(suite) {
    const errors = this.reporting ? suite.errors() : [];
    if (errors.length === 0) return;
    const described = this.describe(suite);
    this.reporting.finished(described, 'error', { reason: 'hook_failed', ...complaint(errors) });
  }

  onTestModuleEnd(module) {
    this.openModules.delete(module.id);
    const errors = this.reporting ? module.errors() : [];
    if (errors.length > 0) this.fileFailed(module, 'error', complaint(errors));
    else if (this.reporting && module.children.size === 0) this.fileFailed(module, 'no_verdict', { message: 'There is no test in this file.' });
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    if (!this.reporting) return;
    this.reporting.stopped = this.bail > 0 && this.failures >= this.bail;
    const exits = unhandledErrors.filter((error) => WORKER_EXIT.test(`${error.message}\n${error.cause?.message ?? ''}`));
    this.accountForCutOff(exits, reason);
    for (const error of unhandledErrors) {
      if (exits.includes(error) && this.hasNamedACulprit) continue;
      this.reporting.problem('unhandled_error', `${error.name ?? 'Error'}: ${error.message}\n${error.stack ?? ''}`, {
        nextStep: 'Vitest caught this outside of any test; it fails the run.',
      });
    }
    this.reporting.isComplete = true;
  }

  /** Files whose worker went away under them. Vitest does not always know which test ran then. */
  accountForCutOff(exits, reason) {
    if (this.reporting.stopped) return;
    const [exit] = exits;
    const outcome = reason === 'interrupted' ? 'interrupted' : exit ? 'crashed' : 'no_verdict';
    const fields = { message: plain(exit?.cause?.message ?? exit?.message ?? 'Its worker ended before it did.'), reason: 'process_exited' };
    for (const { module } of this.openModules.values()) {
      this.hasNamedACulprit = true;
      if (module.errors().length > 0) this.onTestModuleEnd(module); // Vitest 3 does not call it for a file that did not load
      else this.cutOff(module, outcome, fields);
    }
  }

  /** What is known not to have begun stays announced, and can be asked for again. */
  cutOff(module, outcome, fields) {
    const file = this.reporting.projectName(module.moduleId);
    const open = this.reporting.unfinished().filter((test) => test.file === file && test.variant === module.project.name);
    const atWork = open.filter((test) => this.running.has(test.key));
    for (const test of atWork.length > 0 ? atWork : open) this.reporting.finished(test, outcome, fields);
    if (open.length === 0) this.fileFailed(module, outcome, fields);
  }

  fileFailed(module, outcome, { message, ...rest }) {
    const test = this.describeFile(module);
    this.reporting.finished(test, outcome, { message: `${test.file}: ${message}`, ...rest });
  }

  describeFile({ moduleId, project }) {
    const key = `file ${project.name} ${moduleId}`;
    return this.reporting.describe(key, moduleId, [], { variant: project.name, nativeId: nativeId({ moduleId }) });
  }

  describe(task) {
    const title = [task.name];
    for (let group = task.parent; group.type === 'suite'; group = group.parent) title.unshift(group.name);
    return this.reporting.describe(task.id, task.module.moduleId, named(title), {
      variant: task.project.name,
      line: task.location?.line ?? null,
      nativeId: nativeId(task.module),
    });
  }
}

/** How long a file may say nothing while its tests run, before it can no longer be waiting for one of its own limits. */
function patienceWith(module, tests) {
  const { testTimeout, hookTimeout } = module.project.config ?? {};
  const limits = [hookTimeout ?? 10_000, ...tests.map(({ options }) => (options.timeout ?? testTimeout ?? 5000) * (1 + triesAgain(options)))];
  return limits.some((limit) => !(limit > 0)) ? Infinity : Math.max(...limits) + GRACE_MS;
}

const triesAgain = ({ retry }) => (typeof retry === 'number' ? retry : retry?.count ?? 0);

const nativeId = (module) => path.relative(process.cwd(), module.moduleId);

const failure = (errors) => (errors.some((error) => TIMED_OUT.test(error.message ?? '')) ? 'timeout' : 'failed');
