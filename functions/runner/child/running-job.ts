import { AsyncLocalStorage } from 'node:async_hooks';
import { cut } from '../../../shared/lib/cut.ts';
import { LogBuffer, logText } from '../../../shared/runtime/logs.ts';
import { runErrorOf } from '../../../shared/runtime/thrown.ts';
import { MAX_LATE_COUNT } from '../../../shared/domain/run/late-count.ts';
import type { LateCounts, RunError, RunnerLine } from '../../../shared/domain/run/run.ts';
import { writeLine } from './host-pipe.ts';
import { bundlePathRemover, withoutForeignFrames } from './machine-paths.ts';

/** Captured before a component can replace them. */
const { now } = Date;
const later = setTimeout;
const LONGEST_MESSAGE = 4096;

const jobs = new AsyncLocalStorage<RunningJob>();
let current: RunningJob | undefined;
/** Ended jobs with late calls of which the host does not know yet. */
const late = new Set<RunningJob>();
/** Lines between two jobs that are written immediately. More wait: a component that calls in a loop writes few. */
const MAX_PROMPT = 100;
const LATE_INTERVAL_MS = 100;
let prompt = 0;
let toldAt = -Infinity;
let telling: NodeJS.Timeout | undefined;

/** Tells the host of late calls, before the process is ended. */
export function tellLate(): void {
  prompt += 1;
  toldAt = now();
  telling = undefined;
  for (const job of late) job.tellLate();
  late.clear();
}

/** The job in progress. Lines that are written for it after its end are dropped. */
export class RunningJob {
  readonly id: string;
  isEnded = false;
  readonly #logs = new LogBuffer((line) => {
    this.write(line);
  });
  #redact: (text: string) => string;
  #lateCounts: LateCounts | undefined;

  private constructor(id: string, bundle: string) {
    this.id = id;
    this.#redact = bundlePathRemover(bundle);
  }

  static start(id: string, bundle: string): RunningJob {
    current = new RunningJob(id, bundle);
    prompt = 0;
    return current;
  }

  static current(): RunningJob | undefined {
    return current;
  }

  /** The job whose code is running: a timer that an earlier job left behind still belongs to that job. */
  static calling(): RunningJob | undefined {
    return jobs.getStore() ?? current;
  }

  run<Result>(perform: () => Result): Result {
    return jobs.run(this, perform);
  }

  /** From now on logs and errors are redacted by this, too. */
  addRedaction(redact: (text: string) => string): void {
    const before = this.#redact;
    this.#redact = (text) => redact(before(text));
  }

  redact(text: string): string {
    return this.#redact(text);
  }

  write(line: RunnerLine): void {
    if (!this.isEnded) writeLine(line);
  }

  /** Counts a call that the component makes after the end of its job. Nothing else remains of it. */
  countLate(kind: keyof LateCounts): void {
    this.#lateCounts ??= { emits: 0, logs: 0, writes: 0, responses: 0, errors: 0 };
    this.#lateCounts[kind] = Math.min(this.#lateCounts[kind] + 1, MAX_LATE_COUNT);
    late.add(this);
    if (prompt < MAX_PROMPT || Math.abs(now() - toldAt) >= LATE_INTERVAL_MS) tellLate();
    else telling ??= later(tellLate, LATE_INTERVAL_MS);
  }

  tellLate(): void {
    if (this.#lateCounts) writeLine({ k: 'late', job: this.id, run: this.id, counts: this.#lateCounts });
    this.#lateCounts = undefined;
  }

  /** One call of the console. */
  logCall(level: string, args: readonly unknown[]): void {
    if (this.isEnded) {
      this.countLate('logs');
      return;
    }
    this.log(
      level,
      logText(args, (text) => withoutForeignFrames(this.redact(text))),
    );
  }

  log(level: string, msg: string, err?: Pick<RunError, 'name' | 'message' | 'stack'>): void {
    if (this.isEnded) return;
    this.#logs.add({ k: 'log', job: this.id, level, ts: now(), msg, ...(err ? { err } : {}) });
  }

  fail(thrown: unknown): void {
    this.end(runErrorOf(thrown, (text) => this.redact(text)));
  }

  end(error?: RunError): void {
    if (this.isEnded) return;
    if (error) {
      const { name, message, stack } = error;
      this.log('error', cut(message, LONGEST_MESSAGE), { name, message, stack });
    }
    this.#logs.flush();
    this.isEnded = true;
    current = undefined;
    writeLine({ k: 'end', job: this.id, ms: 0, ...(error ? { error } : {}) });
  }
}
