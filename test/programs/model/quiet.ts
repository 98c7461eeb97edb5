import type { FakeClock } from '../../../infra/embedded/clock.ts';
import type { TestCloud } from '../../support/cloud.ts';
import { rest } from '../../support/travel.ts';

/** Real time in which work that a step of the clock set off begins. */
const SETTLE_MS = 4;
/** Work that takes more steps of the clock than this has no end. A workload takes at most some thousands. */
const MAX_STEPS = 15_000;
const QUEUES = ['runs', 'deliveries', 'retries', 'timers'] as const;

/** The work of a cloud in progress, and what waits for the clock. */
export class Work {
  readonly #cloud: TestCloud;
  readonly #clock: FakeClock;
  readonly #queueArns: ReadonlyMap<string, string>;
  readonly #consumers: ReadonlySet<string>;
  /** Names of the template's schedules, which never end. */
  readonly #declared: readonly string[];

  constructor(cloud: TestCloud, clock: FakeClock) {
    this.#cloud = cloud;
    this.#clock = clock;
    const { stack } = cloud.cloud.services;
    const arns = stack.ofType('AWS::SQS::Queue').map(({ logicalId, attributes }) => {
      const name = QUEUES.find((queue) => logicalId.toLowerCase().startsWith(queue)) ?? logicalId;
      const isDead = logicalId.includes('DeadLetters');
      return [isDead ? `dead letters of ${name}` : `messages in ${name}`, attributes['Arn'] ?? ''] as const;
    });
    this.#queueArns = new Map(arns);
    this.#declared = stack.ofType('AWS::Scheduler::Schedule').map(({ ref }) => ref);
    this.#consumers = new Set(
      stack.ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => String(properties['FunctionName'])),
    );
  }

  now(): number {
    return this.#clock.now();
  }

  /** Messages and schedules that are left, by name. */
  async left(): Promise<Record<string, number>> {
    const { sqs, disk } = this.#cloud.cloud.services;
    const counts = [...this.#queueArns].map(([name, arn]) => {
      const { visible, inFlight, delayed } = sqs.countsOf(arn);
      return [name, visible + inFlight + delayed] as const;
    });
    let schedules = 0;
    // A webhook's log has a schedule of its own for as long as the webhook exists.
    const lasting = ['keep-wh_', ...this.#declared];
    for await (const key of disk.keys('t/'))
      schedules += key === '' || lasting.some((name) => key.includes(name)) ? 0 : 1;
    return { ...Object.fromEntries(counts), schedules };
  }

  /**
   * Whether a function that consumes a queue is at work. Time stands still meanwhile, so that no message becomes
   * visible again.
   */
  isBusy(): boolean {
    return [...this.#cloud.cloud.functions.values()].some(
      ({ running, spec }) => running > 0 && (this.#consumers.has(spec.name) || this.#consumers.has(spec.arn)),
    );
  }

  /** Moves the clock on in steps while nothing works, until the returned function is called. */
  tick(stepMs: () => number): () => void {
    const timer = setInterval(() => {
      if (!this.isBusy()) this.#clock.advance(stepMs());
    }, SETTLE_MS);
    return () => {
      clearInterval(timer);
    };
  }

  /**
   * Moves the clock from event to event, for this long or until nothing is left but dead letters. Returns whether
   * nothing is left.
   */
  async pass(ms: number): Promise<boolean> {
    const end = this.#clock.now() + ms;
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      await rest(() => this.isBusy(), SETTLE_MS);
      if (await this.#isDone()) return true;
      const next = this.#clock.nextWake() ?? end;
      if (next > end) break;
      this.#clock.advance(Math.max(1, next - this.#clock.now()));
    }
    this.#clock.advance(Math.max(0, end - this.#clock.now()));
    return false;
  }

  /**
   * A schedule that fires while the schedules are counted becomes a message, so the messages are counted before and
   * after.
   */
  async #isDone(): Promise<boolean> {
    if (!this.#areQueuesDone()) return false;
    const { schedules } = await this.left();
    return schedules === 0 && this.#areQueuesDone();
  }

  #areQueuesDone(): boolean {
    const { sqs } = this.#cloud.cloud.services;
    const isDone = ([name, arn]: readonly [string, string]): boolean => {
      const { visible, inFlight, delayed } = sqs.countsOf(arn);
      return name.startsWith('dead') || visible + inFlight + delayed === 0;
    };
    return !this.isBusy() && [...this.#queueArns].every(isDone);
  }
}
