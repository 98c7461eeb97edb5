import type { Dispatch } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk.ts';
import type { Weather } from '../weather.ts';
import { randomUUID } from 'node:crypto';
import { DueQueue } from './due-queue.ts';
import { afterFailure, callOf, deadLetterCall, newExecutionId, type Invocation } from './invocation.ts';
import { occurrenceAfter, type Schedule, type Schedules } from './schedules.ts';

export interface ClockworkOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly weather: Weather;
  readonly dispatch: Dispatch;
  readonly schedules: Schedules;
  readonly arnOf: (schedule: Schedule) => string;
  /** An invocation that is given up and that no dead-letter queue took. */
  readonly onDropped: (invocation: Invocation, error: unknown) => void;
}

const DISK_PREFIX = 't/i/';

/** AWS calls at any time within the minute of the occurrence. */
const LATE_MS = 59_000;

type Due = { readonly schedule: Schedule; readonly isLate: boolean } | { readonly invocation: Invocation };

/**
 * Turns occurrences into calls. An occurrence is written as an invocation in the same batch that moves its schedule on, and the
 * invocation is removed when the target has taken it: a crash in between repeats a call and never loses one.
 */
export class Clockwork {
  private readonly options: ClockworkOptions;
  private readonly due = new DueQueue<Due>();
  private readonly running = new Set<Promise<void>>();
  private wake: { readonly at: number; readonly cancel: () => void } | undefined;
  private isStarted = false;

  constructor(options: ClockworkOptions) {
    this.options = options;
  }

  /** Invocations that the last process did not bring to their end. */
  async load(): Promise<void> {
    for await (const [, value] of this.options.disk.entries(DISK_PREFIX)) {
      const invocation = JSON.parse(value) as Invocation;
      this.due.push(invocation.retryAt ?? invocation.scheduledAt, { invocation });
    }
  }

  /** From now on this schedule fires at its next occurrence, unless it is changed or removed before. */
  watch(schedule: Schedule): void {
    if (schedule.nextAt === undefined) return;
    this.due.push(schedule.nextAt, { schedule, isLate: false });
    this.arm();
  }

  start(): void {
    this.isStarted = true;
    this.arm();
  }

  /** Fires no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStarted = false;
    this.wake?.cancel();
    this.wake = undefined;
    await Promise.all(this.running);
  }

  /** One waiter at the clock, for what is due first. */
  private arm(): void {
    const at = this.due.nextAt;
    if (!this.isStarted || at === undefined || (this.wake && this.wake.at <= at)) return;
    this.wake?.cancel();
    const cancel = this.options.clock.wakeAt(at, () => {
      this.wake = undefined;
      this.fire();
      this.arm();
    });
    this.wake = { at, cancel };
  }

  private fire(): void {
    const { clock, disk, schedules, weather } = this.options;
    const now = clock.now();
    const begun: Invocation[] = [];
    for (let item = this.due.popDue(now); item; item = this.due.popDue(now)) {
      if ('invocation' in item) begun.push(item.invocation);
      else if (schedules.get(item.schedule.definition) !== item.schedule) continue;
      else if (!item.isLate && weather.strikes('late-schedule'))
        this.due.push(now + LATE_MS, { ...item, isLate: true });
      else begun.push(...this.occur(item.schedule, now));
    }
    if (begun.length === 0) return;
    this.track(
      disk.commit().then(() => {
        for (const invocation of begun) this.track(this.attempt(invocation));
      }),
    );
  }

  /** Stages the occurrence and what comes after it. */
  private occur(schedule: Schedule, now: number): Invocation[] {
    const { disk, schedules, weather, arnOf } = this.options;
    const { nextAt: scheduledAt = now, ...rest } = schedule;
    const { target, actionAfterCompletion } = schedule.definition;
    const begun = Array.from({ length: weather.strikes('repeated-schedule') ? 2 : 1 }, () => ({
      id: randomUUID(),
      scheduleArn: arnOf(schedule),
      target,
      scheduledAt,
      failures: 0,
    }));
    for (const invocation of begun) disk.put(DISK_PREFIX + invocation.id, JSON.stringify(invocation));
    const nextAt = occurrenceAfter(schedule, scheduledAt, now);
    if (nextAt === undefined && actionAfterCompletion === 'DELETE') {
      schedules.remove(schedule);
      return begun;
    }
    const moved = nextAt === undefined ? rest : { ...rest, nextAt };
    schedules.put(moved);
    this.watch(moved);
    return begun;
  }

  private async attempt(invocation: Invocation): Promise<void> {
    const { clock, disk, dispatch } = this.options;
    const executionId = newExecutionId();
    try {
      await dispatch(callOf(invocation, executionId));
    } catch (error) {
      const after = afterFailure(invocation, error, clock.now());
      if ('retry' in after) {
        disk.put(DISK_PREFIX + invocation.id, JSON.stringify(after.retry));
        await disk.commit();
        this.due.push(after.retry.retryAt ?? clock.now(), { invocation: after.retry });
        this.arm();
        return;
      }
      await this.giveUp(invocation, error, { executionId, exhausted: after.giveUp });
    }
    disk.del(DISK_PREFIX + invocation.id);
    await disk.commit();
  }

  private async giveUp(
    invocation: Invocation,
    error: unknown,
    circumstances: { executionId: string; exhausted: string | undefined },
  ): Promise<void> {
    const { dispatch, onDropped } = this.options;
    const call = deadLetterCall(invocation, error, circumstances);
    try {
      if (call) await dispatch(call);
      else onDropped(invocation, error);
    } catch {
      onDropped(invocation, error);
    }
  }

  private track(work: Promise<void>): void {
    const tracked = work
      // A Disk that cannot be written refuses every later call with the reason; here nobody waits for one.
      .catch(() => undefined)
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
