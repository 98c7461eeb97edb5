import * as z from 'zod';
import { sizing } from './sizing.ts';
import { integer } from './stage-values.ts';

/** Concurrency of one event-source mapping. AWS allows 2 to 1,000. */
const mapping = integer(2, 1_000, 2);

const Settings = z.strictObject(
  {
    /** Concurrent executions that the account allows. */
    account: integer(10, 1_000_000, 1_000),
    runs: mapping,
    /** Runner invocations that one batch of triggers makes at the same time. */
    runnersPerBatch: integer(1, sizing.queues.runs.batch, 1),
    deliveries: mapping,
    retries: mapping,
    timers: mapping,
    /** Executions that are reserved for the ingress. They are also its limit. */
    ingress: z.int('must be an integer').min(1, 'must be at least 1').optional(),
    /**
     * Executions that are reserved for live streams, one for each. They are also their limit; 0 turns live streams off.
     */
    live: z.int('must be an integer').min(0, 'must be at least 0').optional(),
  },
  'must be small, standard or an object',
);

const presets: ReadonlyMap<unknown, Concurrency> = new Map([
  // For a new account, which allows 10 concurrent executions.
  ['small', Settings.parse({ account: 10 })],
  // For an account with the usual limit of 1,000.
  ['standard', Settings.parse({ runs: 50, runnersPerBatch: 10, deliveries: 50, retries: 20, timers: 5, live: 100 })],
]);

/** Concurrent executions of the functions that consume queues: a preset or its own numbers. */
export const Concurrency = z.preprocess((value) => presets.get(value) ?? value, Settings);
export type Concurrency = z.infer<typeof Settings>;

/**
 * The most executions that the queues use at the same time. Each run is one of run-source, and one of the runner per
 * source.
 */
export const executionsOf = ({ runs, runnersPerBatch, deliveries, retries, timers }: Concurrency): number =>
  runs * (1 + runnersPerBatch) + deliveries + retries + timers;

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const MIN_UNRESERVED = 100;

/**
 * The most executions that a stage may reserve for the ingress and live streams: the queues need theirs, and AWS keeps
 * 100 for functions without any.
 */
export const reservable = (concurrency: Concurrency): number =>
  Math.max(0, concurrency.account - Math.max(executionsOf(concurrency), MIN_UNRESERVED));
