/**
 * The figures that belong together. A change of one moves the others; test/unit/infra/figures.test.ts holds the relations:
 * a run fits the runner, the runner fits its caller, the caller fits the visibility of its queue.
 * Seconds, unless a name says otherwise.
 */
export const figures = {
  /** Longest time limit a run may have; what one trigger takes at most. */
  longestRun: 240,
  /** run-source starts no further trigger of a group beyond this: elapsed + its limit. */
  lastStart: 255,
  functions: {
    /** API Gateway gives up after 30; no answer of ours takes longer than 28. */
    api: { timeout: 29, memoryMb: 512 },
    ingress: { timeout: 29, memoryMb: 512 },
    'run-source': { timeout: 300, memoryMb: 1024 },
    'deliver-event': { timeout: 60, memoryMb: 512 },
    'retry-delivery': { timeout: 60, memoryMb: 512 },
    timers: { timeout: 30, memoryMb: 256 },
    builder: { timeout: 120, memoryMb: 2048, temporaryMb: 4096 },
    runner: { timeout: 270, memoryMb: 2048, temporaryMb: 2048 },
  },
  queues: {
    runs: { visibility: 330, maxReceiveCount: 20, batch: 10 },
    deliveries: { visibility: 90, maxReceiveCount: 20, batch: 10 },
    retries: { visibility: 90, maxReceiveCount: 20, batch: 10 },
    timers: { visibility: 60, maxReceiveCount: 10, batch: 10 },
  },
  /** Days. */
  retention: { queue: 14, deadLetters: 14, logs: 30 },
} as const;

export type QueueName = keyof typeof figures.queues;
