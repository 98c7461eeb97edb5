import { lineText } from '../../shared/domain/run/line-text.ts';
import type { Job, RunError, RunnerLine, RunnerRequest } from '../../shared/domain/run/run.ts';
import { errorOf } from './child-end.ts';
import { type ChildLine, decoded } from './child-lines.ts';
import type { Child, ChildEnd } from './child-process.ts';
import { type ChildRequest, EXIT_BETWEEN_JOBS, writeRequest } from './child-request.ts';
import { JobTimer } from './job-timer.ts';
import { LineCheck } from './line-check.ts';
import { type Output, PatientOutput } from './output.ts';
import type { Pool } from './pool.ts';
import type { ResourceMonitor } from './resource-monitor.ts';

/** Longest time in which a component is evaluated and described (decisions, "HTTP"). */
const DESCRIBE_TIMEOUT_MS = 5000;

/** A module that failed to load stays failed in its process. */
const NOT_LOADED: ReadonlySet<string> = new Set(['load_failed', 'native_add_on']);

const STOPPED = lineText({ k: 'stopped' });
/** The child ends after the job in progress, so it must not get another request. */
const LEAVING = lineText({ k: 'leaving' });

export interface SessionContext {
  pool: Pool;
  monitor: ResourceMonitor;
  output: Output;
}

interface SessionOutcome {
  /** Jobs whose `end` line was written. */
  finished: number;
  /** Error of the job that was in progress when the child ended. */
  failed: RunError | undefined;
  /** The other jobs were not started, because it is too late. */
  stopped: boolean;
  /** Characters of the lines that were passed on. */
  written: number;
}

/** Longer text is written by itself: joined to other text, it would be copied. */
const LONGEST_JOINED = 65_536;

/** One child, which runs the jobs of one request until it has done them all, or ends. */
export class Session {
  readonly done: Promise<SessionOutcome>;
  /** The db as last written. */
  db: string;
  readonly #request: RunnerRequest;
  readonly #child: Child;
  readonly #context: SessionContext;
  readonly #output: PatientOutput;
  readonly #timer: JobTimer;
  #finished = 0;
  #written = 0;
  #check: LineCheck;
  #isReusable = true;
  #isOver = false;
  #resolve: (outcome: SessionOutcome) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(request: RunnerRequest, child: Child, context: SessionContext) {
    this.#request = request;
    this.#child = child;
    this.#context = context;
    this.#output = new PatientOutput(context.output, child);
    this.#timer = new JobTimer(this.#output, () => child.kill('timeout'));
    this.db = request.db;
    this.#check = this.#newCheck();
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    child.listen({ onOutput: (chunk) => this.#take(chunk), onEnd: (end) => this.#childEnded(end) });
    // A user waits for a description, so it keeps its priority.
    context.monitor.start(child, { lowersPriority: this.#job()?.kind !== 'describe' });
    this.#timer.start(this.#timeoutMs());
    if (request.readsLateLines === true)
      for (const line of child.lateReports.takeLines(this.#job())) this.#output.write(line);
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
    child.send(writeRequest(message));
  }

  /** Run time of the job in progress. */
  get elapsedMs(): number {
    return this.#timer.elapsedMs;
  }

  #job(): Job | undefined {
    return this.#request.jobs[this.#finished];
  }

  #newCheck(): LineCheck {
    return new LineCheck(this.#job(), this.#request.limits);
  }

  #take(chunk: Buffer): void {
    let accepted = '';
    const flush = () => {
      if (accepted !== '') this.#output.write(accepted);
      accepted = '';
    };
    for (const line of this.#child.lines.push(chunk)) {
      const { text, utf8 } = this.#accept(line) ?? { text: '' };
      this.#written += utf8?.length ?? text.length;
      if (utf8 || accepted.length + text.length > LONGEST_JOINED) flush();
      if (utf8) this.#output.write(utf8);
      else accepted += text;
    }
    flush();
    if (!this.#isOver && this.#child.lines.pending > this.#check.longestLine) {
      this.#child.lines.drop();
      this.#child.kill('flood');
    }
  }

  /** The line as the caller gets it; undefined when the child may not write it. */
  #accept(written: ChildLine): ChildLine | undefined {
    if (this.#isOver) {
      this.#child.lateReports.readLine(written.text);
      return undefined;
    }
    const line = this.#request.checksLongEvents === true ? written : decoded(written);
    const { text } = line;
    if (text === STOPPED && isLate(this.#request)) {
      this.#over({ stopped: true });
      return undefined;
    }
    if (text === LEAVING) {
      this.#isReusable = false;
      return undefined;
    }
    const checked = this.#check.accept(line);
    if (this.#check.isFlood) this.#child.kill('flood');
    if (!checked) return undefined;
    if (checked.k === 'late') {
      this.#child.lateReports.add(checked);
      return undefined;
    }
    if (checked.k === 'db') this.db = checked.json;
    if (checked.k !== 'end')
      return this.#request.readsUnquotedJson === true ? line : { text: `${JSON.stringify(checked)}\n` };
    // A component can change its child's clock, so the host measures.
    const { error } = checked;
    const end: RunnerLine = { k: 'end', job: checked.job, ms: this.elapsedMs, ...(error ? { error } : {}) };
    this.#child.lateReports.jobEnded(this.#request, this.#job());
    this.#jobEnded(error);
    return { text: lineText(end) };
  }

  #jobEnded(error: RunError | undefined): void {
    if (error && NOT_LOADED.has(error.code)) this.#isReusable = false;
    this.#finished += 1;
    this.#check = this.#newCheck();
    if (this.#finished < this.#request.jobs.length) this.#timer.start(this.#timeoutMs());
    else this.#over({ stopped: false });
  }

  /** Ends the session: later lines of the child are dropped. */
  #over({ stopped }: { stopped: boolean }): void {
    this.#isOver = true;
    // The lines that came with this one are written first.
    queueMicrotask(() => this.#settle(stopped));
  }

  #settle(stopped: boolean): void {
    this.#leave();
    // A child that only configured is not kept: another source must not find what the component left.
    const isOnce = this.#request.jobs.every(({ kind }) => kind !== 'run' && kind !== 'hook');
    this.#context.pool.release(this.#child, { keep: this.#isReusable && !isOnce });
    this.#resolve({ finished: this.#finished, failed: undefined, stopped, written: this.#written });
  }

  #childEnded(end: ChildEnd): void {
    if (this.#isOver) return;
    this.#leave();
    if (end.reason === 'retired') {
      // The component did nothing wrong. Without an `end` line its triggers come back.
      this.#reject(new Error('The runner was closed while a job was in progress.'));
      return;
    }
    const isBetween = end.code === EXIT_BETWEEN_JOBS && end.reason === undefined;
    this.#resolve({
      finished: this.#finished,
      written: this.#written,
      stopped: false,
      failed: isBetween
        ? undefined
        : errorOf(end, { timeoutMs: this.#timeoutMs(), memoryMb: this.#request.limits.memoryMb }),
    });
  }

  #leave(): void {
    this.#timer.stop();
    this.#context.monitor.stop(this.#child);
    this.#child.unlisten();
  }

  #timeoutMs(): number {
    const { timeoutMs } = this.#request.limits;
    return this.#job()?.kind === 'describe' ? Math.min(timeoutMs, DESCRIBE_TIMEOUT_MS) : timeoutMs;
  }
}

/** Whether it is too late to start another job. The caller then returns the remaining triggers to their queue. */
export const isLate = ({ startBefore }: RunnerRequest): boolean =>
  startBefore !== undefined && Date.now() >= startBefore;
