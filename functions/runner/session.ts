import type { Job, RunError, RunnerLine, RunnerRequest } from '../../shared/domain/run.ts';
import { runError } from '../../shared/runtime/thrown.ts';
import { childError } from './child-end.ts';
import type { Child, ChildEnd } from './child-process.ts';
import { type ChildRequest, EXIT_BETWEEN_JOBS } from './child-request.ts';
import { LineCheck } from './line-check.ts';
import { type Output, PatientOutput } from './output.ts';
import type { Pool } from './pool.ts';
import type { Watch } from './watch.ts';

/** Evaluating a component that does nothing else may take this long (decisions, "HTTP"). */
const DESCRIBE_TIMEOUT_MS = 5000;

const NOT_LOADED: ReadonlySet<string> = new Set(['load_failed', 'native_add_on']);

const STOPPED = JSON.stringify({ k: 'stopped' });
/** The child ends after the job under way: whoever comes next would otherwise be given a process that is dying. */
const LEAVING = JSON.stringify({ k: 'leaving' });

interface Around {
  pool: Pool;
  watch: Watch;
  output: Output;
}

/**
 * Has the jobs of a request done, in order, and writes exactly one `end` line for each, whatever becomes of the child.
 * A child that hangs or dies loses its job only: the rest goes on in another one, with the db as last written.
 */
export async function serveRequest(request: RunnerRequest, around: Around): Promise<void> {
  let { jobs, db } = request;
  let stillborn = 0;
  while (jobs.length > 0 && !isLate(request)) {
    const child = await ready(request, jobs[0], around);
    if (!child) return;
    const attempt = new Attempt({ ...request, jobs, db }, child, around);
    const { finished, failed, stopped } = await attempt.done;
    // A child that ended before it finished anything was not "between jobs", whatever it says.
    stillborn = finished === 0 ? stillborn + 1 : 0;
    jobs = stopped ? [] : jobs.slice(finished);
    db = attempt.db;
    const [lost] = jobs;
    if (lost && (failed || stillborn > 0)) {
      const line: RunnerLine = { k: 'end', job: lost.id, ms: attempt.elapsedMs, error: failed ?? crashed() };
      around.output.write(`${JSON.stringify(line)}\n`);
      jobs = jobs.slice(1);
    }
  }
}

/** Without a process the job has done nothing yet, and comes again: that is told apart from a runner that was lost. */
async function ready(
  request: RunnerRequest,
  next: Job | undefined,
  { pool, output }: Around,
): Promise<Child | undefined> {
  try {
    return await pool.acquire(request);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line: RunnerLine = { k: 'unready', job: next?.id ?? '', message };
    output.write(`${JSON.stringify(line)}\n`);
    return undefined;
  }
}

/** Then nothing more is begun: its caller gives the rest back to the queue. */
const isLate = ({ startBefore }: RunnerRequest): boolean =>
  startBefore !== undefined && Date.now() >= startBefore;

const crashed = (): RunError => runError('crashed', 'The component ended its process.');

interface Outcome {
  /** Jobs whose `end` was written. */
  finished: number;
  /** What became of the job that was under way when the child ended. */
  failed: RunError | undefined;
  /** The rest was not begun, for it is too late. */
  stopped: boolean;
}

/** One child at work on the jobs that are left. */
class Attempt {
  readonly done: Promise<Outcome>;
  /** As last written. */
  db: string;
  readonly #request: RunnerRequest;
  readonly #child: Child;
  readonly #around: Around;
  readonly #output: PatientOutput;
  #finished = 0;
  #check: LineCheck;
  #rest = '';
  #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isFit = true;
  #isOver = false;
  #resolve: (outcome: Outcome) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(request: RunnerRequest, child: Child, around: Around) {
    this.#request = request;
    this.#child = child;
    this.#around = around;
    this.#output = new PatientOutput(around.output, child);
    this.db = request.db;
    this.#check = new LineCheck(this.#jobId(), request.limits);
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    child.onText = (text) => this.#take(text);
    void child.ended.then((end) => this.#childEnded(end));
    // Somebody waits for a description, and not for long.
    around.watch.start(child, this.#job()?.kind !== 'describe');
    this.#startTimer();
    const { sourceId, props, additionalProps, db, limits, startBefore, jobs } = request;
    const message: ChildRequest = {
      bundle: child.bundlePath,
      sourceId,
      props,
      additionalProps,
      db,
      limits,
      startBefore,
      jobs,
    };
    child.send(`${JSON.stringify(message)}\n`);
  }

  /** Of the job under way. */
  get elapsedMs(): number {
    const elapsed = performance.now() - this.#startedAt - this.#output.waitedMs;
    return Math.round(elapsed * 1000) / 1000;
  }

  #job(): Job | undefined {
    return this.#request.jobs[this.#finished];
  }

  #jobId(): string {
    return this.#job()?.id ?? '';
  }

  #take(text: string): void {
    this.#rest += text;
    if (this.#rest.length > LineCheck.longestLine && !this.#rest.includes('\n')) {
      this.#child.kill('flood');
      this.#rest = '';
      return;
    }
    if (!text.includes('\n')) return;
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    let accepted = '';
    for (const line of lines) {
      const shown = this.#accept(line);
      if (shown !== undefined) accepted += `${shown}\n`;
    }
    if (accepted !== '') this.#output.write(accepted);
  }

  /** The line as it goes on, or nothing when the child may not write it. */
  #accept(text: string): string | undefined {
    if (this.#isOver) return undefined;
    if (text === STOPPED && isLate(this.#request)) {
      this.#over({ stopped: true });
      return undefined;
    }
    if (text === LEAVING) {
      this.#isFit = false;
      return undefined;
    }
    const checked = this.#check.accept(text);
    if (this.#check.isFlood) this.#child.kill('flood');
    if (!checked) return undefined;
    if (checked.k === 'db') this.db = checked.json;
    if (checked.k !== 'end') return text;
    // The child's clock is the component's; only this one counts.
    const { error } = checked;
    const line: RunnerLine = { k: 'end', job: checked.job, ms: this.elapsedMs, ...(error ? { error } : {}) };
    this.#jobEnded(error);
    return JSON.stringify(line);
  }

  #jobEnded(error: RunError | undefined): void {
    // A module that failed to load stays failed in that process.
    if (error && NOT_LOADED.has(error.code)) this.#isFit = false;
    this.#finished += 1;
    this.#startedAt = performance.now();
    this.#output.countAnew();
    this.#check = new LineCheck(this.#jobId(), this.#request.limits);
    if (this.#finished < this.#request.jobs.length) this.#startTimer();
    else this.#over({ stopped: false });
  }

  /** Nothing more is heard of this child now. */
  #over({ stopped }: { stopped: boolean }): void {
    this.#isOver = true;
    // Once the lines that came with this one are written.
    queueMicrotask(() => this.#settle(stopped));
  }

  #settle(stopped: boolean): void {
    this.#leave();
    // Whoever configures is no source yet: nothing is kept for another one to find.
    const isOnce = this.#request.jobs.every(({ kind }) => kind !== 'run' && kind !== 'hook');
    this.#around.pool.release(this.#child, { keep: this.#isFit && !isOnce });
    this.#resolve({ finished: this.#finished, failed: undefined, stopped });
  }

  #childEnded(end: ChildEnd): void {
    if (this.#isOver) return;
    this.#leave();
    if (end.reason === 'retired') {
      // The component did nothing wrong: without an `end` line its triggers come back.
      this.#reject(new Error('The runner was closed while a job was under way.'));
      return;
    }
    const isBetween = end.code === EXIT_BETWEEN_JOBS && end.reason === undefined;
    this.#resolve({
      finished: this.#finished,
      stopped: false,
      failed: isBetween
        ? undefined
        : childError(end, { timeoutMs: this.#timeoutMs(), memoryMb: this.#request.limits.memoryMb }),
    });
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#around.watch.stop(this.#child);
    this.#child.onText = undefined;
  }

  #timeoutMs(): number {
    const { timeoutMs } = this.#request.limits;
    return this.#job()?.kind === 'describe' ? Math.min(timeoutMs, DESCRIBE_TIMEOUT_MS) : timeoutMs;
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (this.elapsedMs >= this.#timeoutMs() - TIMER_SLACK_MS) this.#child.kill('timeout');
        else this.#startTimer();
      },
      Math.max(this.#timeoutMs() - this.elapsedMs, TIMER_SLACK_MS),
    );
  }
}

/** Timers may fire a little early. */
const TIMER_SLACK_MS = 5;
