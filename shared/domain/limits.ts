import * as z from 'zod';
import { defaultLimits } from './run-limits.ts';
import { LONGEST_RUN_MS } from './time-limits.ts';

/** Largest body of a request to the API, and of a report of a workflow. */
export const LARGEST_BODY_BYTES = 1024 * 1024;

/** Largest memory limit of one run. `runnerMemoryMb` tells how large the runner's function then is. */
const LARGEST_RUN_MEMORY_MB = 1_536;

/** Custom streams of one emitter. An event for a further stream is dropped. */
export const MAX_STREAMS = 1_000;

/** Emits that wait for their `delivery_ts`: of one source, and of all sources of a user. A further one is refused. */
export const MAX_DELAYED_EMITS = { source: 10_000, user: 100_000 };

/** Connected accounts of one user. */
export const MAX_ACCOUNTS = 1_000;

const rate = z.int('must be an integer').min(1, 'must be at least 1');

const count = z.int('must be an integer').min(0, 'must be at least 0');

/** Larger numbers would make the item of a user's runs in flight cost several write units. */
const MAX_CONCURRENT_RUNS = 100;

/** Events of one request to the address of a workflow. */
export const MAX_EMITTED_EVENTS = 100;

/** Each live stream is an element of its user's item. */
const MAX_LIVE_STREAMS = 2_000;

/** Limits per user and run, set by the operator for a stage. */
export const Limits = z.object({
  sources: count,
  /** Saved components: each new content counts, also that of an update of a source. */
  components: count,
  webhooks: count,
  subscriptions: count,
  /** Bytes of stored events, large payloads, delayed emits and code of components. */
  storedBytes: count,
  /** Long runs in flight, in all instances. */
  concurrentRuns: z
    .int('must be an integer')
    .min(1, 'must be at least 1')
    .max(MAX_CONCURRENT_RUNS, `must be at most ${MAX_CONCURRENT_RUNS}`),
  /** Live streams that are followed, in all instances. Each is an execution of a function on AWS. */
  liveStreams: z
    .int('must be an integer')
    .min(0, 'must be at least 0')
    .max(MAX_LIVE_STREAMS, `must be at most ${MAX_LIVE_STREAMS}`),
  /** Requests per second to the endpoint of a source or workflow, on average over 10 s, in all instances. */
  sourceRequestRate: rate,
  /** The same for all endpoints of the user. */
  userRequestRate: rate,
  /** Quotas of the plan `free`, per UTC day. */
  freeInvocations: count,
  freeComputeMs: count,
  /** Time limit of one run. A longer one would outlast the functions that execute it. */
  runTimeoutMs: z
    .int('must be milliseconds')
    .min(1_000, 'must be at least 1000 ms')
    .max(LONGEST_RUN_MS, `must be at most ${LONGEST_RUN_MS} ms, so that a run ends within its function's time limit`),
  /** Memory limit of one run. */
  runMemoryMb: z
    .int('must be megabytes')
    .min(64, 'must be at least 64 MB, which Node and a component need')
    .max(
      LARGEST_RUN_MEMORY_MB,
      `must be at most ${LARGEST_RUN_MEMORY_MB} MB, so that a run fits into its function's memory`,
    ),
});
export type Limits = z.infer<typeof Limits>;

/** Defaults of a stage on AWS. The quotas bound what a user can cost per day (docs/costs.md). */
export const defaultUserLimits: Limits = {
  sources: 1_000,
  components: 10_000,
  webhooks: 1_000,
  subscriptions: 10_000,
  storedBytes: 20 * 1024 ** 3,
  concurrentRuns: 20,
  liveStreams: 10,
  sourceRequestRate: 1_000,
  userRequestRate: 1_600,
  freeInvocations: 1_000_000,
  freeComputeMs: 100_000_000,
  runTimeoutMs: defaultLimits.timeoutMs,
  runMemoryMb: defaultLimits.memoryMb,
};

/**
 * Maximum of events in one item. A trim leaves fewer than that beyond the last 100, so that the next one is not due at
 * once.
 */
export const MAX_EVENTS_PER_ITEM = 20;
