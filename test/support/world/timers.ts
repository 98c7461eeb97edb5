import { memoryDisk } from '../memory-disk.ts';
import type { Call } from '../../../infra/embedded/call.ts';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import { noFaults } from '../../../infra/embedded/faults.ts';
import { SchedulerService } from '../../../infra/embedded/scheduler/service.ts';
import { SourceId, UserId } from '../../../shared/domain/id.ts';
import { type DelayedJob, type ScheduledTick, JobMessage } from '../../../shared/domain/run/message.ts';
import { createJobHandler } from '../../../shared/service/timers/handle-job.ts';
import { createSourceTimers, type SourceTimers } from '../../../shared/service/timers/source-timers.ts';
import { GROUP, queueArn, schedulesOn } from './scheduler.ts';

type Timer = Parameters<SourceTimers['start']>[0]['timer'];

const idOf = (name: string) => SourceId.parse(`dc_${name.padStart(24, '0')}`);

/** A tick that reached the queue of triggers. Times are epoch ms. */
interface Tick {
  readonly name: string;
  readonly at: number;
  readonly scheduledAt: number;
}

/**
 * Timers of sources, their messages and the embedded scheduler, on a clock that a test moves. Queues deliver at once.
 */
export class TimersWorld {
  readonly clock: FakeClock;
  readonly ticks: Tick[] = [];
  readonly #disk = memoryDisk();
  readonly #timers: SourceTimers;
  readonly #forward: (message: JobMessage) => Promise<void>;
  #scheduler: SchedulerService | undefined;

  constructor(startAt: number) {
    this.clock = new FakeClock(startAt);
    const now = () => this.clock.now();
    const unused = () => Promise.reject(new Error('No timer sends this.'));
    const sendJobs = async (messages: readonly DelayedJob[]) => {
      for (const { message, delaySeconds } of messages)
        this.clock.wakeAt(now() + delaySeconds * 1_000, () => void this.#forward(message));
    };
    const { schedules } = schedulesOn(() => this.#opened);
    this.#timers = createSourceTimers({
      schedules,
      sendJobs,
      runsQueueArn: queueArn('runs.fifo'),
      jobsQueueArn: queueArn('jobs'),
      now,
    });
    this.#forward = createJobHandler({
      sendTicks: async (ticks) => ticks.forEach((tick) => this.#take(tick)),
      sendJobs,
      oauthFunction: { drop: unused, renewIdle: unused },
      metricsJob: { ofUsers: unused, ofUser: unused },
      now,
    });
  }

  /** Activates a source with this timer now, or again with the anchor of an earlier activation. */
  start(name: string, timer: Timer, anchor = this.clock.now()): Promise<void> {
    const ownerId = UserId.parse(`u_${'0'.repeat(24)}`);
    return this.#timers.start({ sourceId: idOf(name), ownerId, generation: 1, anchor, timer });
  }

  /** Opens the scheduler, or opens it again on what it has stored. */
  async open(): Promise<void> {
    await this.#scheduler?.stop();
    this.#scheduler = new SchedulerService({
      disk: this.#disk,
      clock: this.clock,
      faults: noFaults,
      region: 'us-east-1',
      account: '000000000000',
      dispatch: (call) => this.#deliver(call),
    });
    await this.#scheduler.load();
    this.#scheduler.createGroup({ name: GROUP });
    this.#scheduler.start();
  }

  async stop(): Promise<void> {
    await this.#scheduler?.stop();
  }

  /** Moves the clock from one due time to the next. */
  async advance(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    for (let next = this.clock.nextWake(); next !== undefined && next <= end; next = this.clock.nextWake()) {
      this.clock.advance(Math.max(next - this.clock.now(), 0));
      await new Promise(setImmediate);
    }
    this.clock.advance(end - this.clock.now());
  }

  /** Times of the ticks of one source. */
  ticksOf(name: string): number[] {
    return this.ticks.filter((tick) => tick.name === name).map(({ at }) => at);
  }

  async #deliver({ input: { QueueUrl, MessageBody } }: Call): Promise<Record<string, unknown>> {
    const body: unknown = JSON.parse(String(MessageBody));
    if (String(QueueUrl).endsWith('/jobs')) await this.#forward(JobMessage.parse(body));
    else this.#take(body as ScheduledTick);
    return {};
  }

  #take({ sourceId, scheduledAt }: Pick<ScheduledTick, 'sourceId' | 'scheduledAt'>): void {
    const name = sourceId.replace(/^dc_0*/, '');
    this.ticks.push({ name, at: this.clock.now(), scheduledAt: Date.parse(scheduledAt) });
  }

  get #opened(): SchedulerService {
    if (!this.#scheduler) throw new Error('The scheduler is not open');
    return this.#scheduler;
  }
}
