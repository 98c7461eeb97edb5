import { randomUUID } from 'node:crypto';
import type { Dispatch } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk/disk.ts';
import type { Faults } from '../faults.ts';
import { DueQueue } from './due-queue.ts';
import { callOf, deadLetterOf, newExecutionId, retryOf, type ScheduleInvocation } from './schedule-invocation.ts';
import { WakeTimer } from '../wake-timer.ts';
import { occurrenceAfter, type Schedule, type Schedules, type Version } from './schedules.ts';

/** Receives an invocation that failed for good. */
export type OnDropped = (invocation: ScheduleInvocation, error: unknown) => void;

interface ScheduleRunnerOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly dispatch: Dispatch;
  readonly schedules: Schedules;
  readonly arnOf: (schedule: Schedule) => string;
  readonly onDropped: OnDropped;
}

const DISK_PREFIX = 't/i/';

/** AWS fires at any time within the minute of the occurrence. */
const LATE_MS = 59_000;
/** Entries that are kept without a look at how many of them are void. */
const MANY_DUE = 1_000;

type Due = { readonly version: Version; readonly isLate: boolean } | { readonly invocation: ScheduleInvocation };

/**
 * Turns occurrences of schedules into calls to their targets. One batch on disk writes an invocation and moves its
 * schedule to the next occurrence; the invocation is removed once the target has taken it. A crash in between repeats a
 * call and loses none.
 */
export class ScheduleRunner {
  readonly #options: ScheduleRunnerOptions;
  readonly #due = new DueQueue<Due>();
  readonly #running = new Set<Promise<void>>();
  readonly #timer: WakeTimer;
  #isStarted = false;

  constructor(options: ScheduleRunnerOptions) {
    this.#options = options;
    this.#timer = new WakeTimer(options.clock, () => {
      this.#fire();
      this.#arm();
    });
  }

  /** Loads the invocations that the last process did not finish. */
  async load(): Promise<void> {
    for await (const [, value] of this.#options.disk.entries(DISK_PREFIX)) {
      const invocation = JSON.parse(value) as ScheduleInvocation;
      this.#due.push(invocation.retryAt ?? invocation.scheduledAt, { invocation });
    }
  }

  /** Makes a schedule fire at its next occurrence, unless the schedule changes before. */
  watch(nextAt: number | undefined, version: Version): void {
    if (nextAt === undefined) return;
    this.#due.push(nextAt, { version, isLate: false });
    // Entries of changed and deleted schedules would otherwise stay until they are due.
    if (this.#due.size > 2 * this.#options.schedules.size + MANY_DUE) this.#due.keepOnly(this.#isStillDue);
    this.#arm();
  }

  readonly #isStillDue = (due: Due): boolean => 'invocation' in due || this.#options.schedules.isCurrent(due.version);

  start(): void {
    this.#isStarted = true;
    this.#arm();
  }

  /** Stops firing, and waits for the calls in progress. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#timer.cancel();
    await Promise.all(this.#running);
  }

  /** Keeps one timer, for the item that is due first. */
  #arm(): void {
    if (this.#isStarted) this.#timer.wakeBy(this.#due.nextAt);
  }

  #fire(): void {
    const { clock, disk, schedules, faults } = this.#options;
    const now = clock.now();
    const invocations: ScheduleInvocation[] = [];
    for (let item = this.#due.popDue(now); item; item = this.#due.popDue(now)) {
      if ('invocation' in item) {
        invocations.push(item.invocation);
        continue;
      }
      const schedule = schedules.current(item.version);
      if (!schedule) continue;
      if (!item.isLate && faults.inject('late-schedule')) this.#due.push(now + LATE_MS, { ...item, isLate: true });
      else invocations.push(...this.#occur(schedule, now));
    }
    if (invocations.length === 0) return;
    this.#track(
      disk.commit().then(() => {
        for (const invocation of invocations) this.#track(this.#attempt(invocation));
      }),
    );
  }

  /** Stages the invocations of an occurrence and the next occurrence of the schedule. */
  #occur(schedule: Schedule, now: number): ScheduleInvocation[] {
    const { disk, schedules, faults, arnOf } = this.#options;
    const { nextAt: scheduledAt = now, ...rest } = schedule;
    const { target, actionAfterCompletion } = schedule.definition;
    const invocations = Array.from({ length: faults.inject('repeated-schedule') ? 2 : 1 }, () => ({
      id: randomUUID(),
      scheduleArn: arnOf(schedule),
      target,
      scheduledAt,
      failures: 0,
    }));
    for (const invocation of invocations) disk.put(DISK_PREFIX + invocation.id, JSON.stringify(invocation));
    const nextAt = occurrenceAfter(schedule, scheduledAt, now);
    if (nextAt === undefined && actionAfterCompletion === 'DELETE') {
      schedules.remove(schedule);
      return invocations;
    }
    const moved = nextAt === undefined ? rest : { ...rest, nextAt };
    this.watch(nextAt, schedules.put(moved));
    return invocations;
  }

  async #attempt(invocation: ScheduleInvocation): Promise<void> {
    const { clock, disk, dispatch, onDropped } = this.#options;
    const executionId = newExecutionId();
    try {
      await dispatch(callOf(invocation, executionId));
    } catch (error) {
      const retry = retryOf(invocation, error, clock.now());
      if (retry) {
        disk.put(DISK_PREFIX + invocation.id, JSON.stringify(retry));
        await disk.commit();
        this.#due.push(retry.retryAt ?? clock.now(), { invocation: retry });
        this.#arm();
        return;
      }
      onDropped(invocation, error);
      const letter = deadLetterOf(invocation, error, executionId);
      if (letter) await dispatch(letter).catch((reason: unknown) => onDropped(invocation, reason));
    }
    disk.del(DISK_PREFIX + invocation.id);
    await disk.commit();
  }

  #track(work: Promise<void>): void {
    const tracked = work
      // A disk that cannot be written rejects every later call with the reason; this work has no caller.
      .catch(() => undefined)
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}
