import {
  RESPONSE_WITHIN_MS,
  BATCH_WORK_MS,
  FIRST_ATTEMPTS_MS,
  LONGEST_BUILD_MS,
} from '../shared/domain/time-limits.ts';

/** Seconds, rounded up. */
const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/**
 * A function's time limit is longer than that of the work it does or waits for. Its memory suffices for its largest
 * batch and is no larger, because the functions wait for most of their time (docs/costs.md). Memory also buys processor
 * time: 1,769 MB are one vCPU. The runner's memory follows from the stage (`runnerMemoryMb`).
 */
const api = { timeout: seconds(RESPONSE_WITHIN_MS + 1_000), memoryMb: 512 };
/** A live stream takes a minute less; it waits for nearly all of its time. */
const live = { timeout: 15 * 60, memoryMb: 256 };
/** API Gateway waits 30 s, and a long poll takes 25 s of them. */
const poll = { timeout: 30, memoryMb: 256 };
const consoleFiles = { timeout: 10, memoryMb: 256 };
const runner = { timeout: seconds(BATCH_WORK_MS) + 15, temporaryMb: 2048 };
const runSource = { timeout: runner.timeout + 30, memoryMb: 512 };
const deliverEvent = { timeout: seconds(FIRST_ATTEMPTS_MS) + 20, memoryMb: 512 };
const retryDelivery = { timeout: 60, memoryMb: 512 };
/** A token request and an identity request of 15 s each, and the writes after them. */
const oauth = { timeout: 40, memoryMb: 512 };
const jobs = { timeout: 30, memoryMb: 256 };

/**
 * Functions return and set aside what fails. A message that comes back by itself was throttled, or its function died:
 * it waits for six times the time limit, as AWS asks for, and often.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const queueOf = (worker: { timeout: number }) => ({ visibility: 6 * worker.timeout, maxReceiveCount: 100, batch: 10 });

/**
 * Time limits, memory and queue settings, derived from the limits that programs keep. In seconds, unless a name says
 * otherwise.
 */
export const sizing = {
  functions: {
    api,
    console: consoleFiles,
    live,
    poll,
    ingress: api,
    'run-source': runSource,
    'deliver-event': deliverEvent,
    'retry-delivery': retryDelivery,
    jobs,
    oauth,
    builder: { timeout: seconds(LONGEST_BUILD_MS), memoryMb: 2048, temporaryMb: 4096 },
    runner,
  },
  queues: {
    runs: queueOf(runSource),
    deliveries: queueOf(deliverEvent),
    retries: queueOf(retryDelivery),
    timers: queueOf(jobs),
  },
  /** Days. */
  retention: { queue: 14, deadLetters: 14 },
};

export type QueueName = keyof typeof sizing.queues;
