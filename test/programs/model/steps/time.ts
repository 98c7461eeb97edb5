import fc from 'fast-check';
import type { Outage } from '../seeded-faults.ts';
import type { StepContext, StepKind } from './step.ts';

/** Time in which retries come due. */
export const wait: StepKind<number> = {
  weight: 10,
  parameters: fc.constantFrom(5, 30, 100, 400),
  async play({ work }, seconds) {
    await work.pass(seconds * 1_000);
  },
};

/** Functions that consume a queue. */
const CONSUMERS = ['RunSource', 'DeliverEvent', 'RetryDelivery'] as const;

/** The table is out of reach of one function. */
export const outage: StepKind<{ caller: Outage['caller']; seconds: number }> = {
  weight: 3,
  parameters: fc.record({
    caller: fc.constantFrom(...CONSUMERS),
    seconds: fc.constantFrom(60, 300),
  }),
  async play({ faults, work }, { caller, seconds }) {
    faults.outage = { caller, service: 'DynamoDB' };
    await work.pass(seconds * 1_000);
    faults.outage = undefined;
  },
};

/**
 * The function that is out of reach at the end of a workload. Retries are many and take much time, so the list has them
 * less often.
 */
const LAST = ['RunSource', 'DeliverEvent', 'RetryDelivery', 'RunSource', 'DeliverEvent'] as const;
/** Everything that the function receives is a dead letter after this. */
const LONG_SECONDS = 7_200;

/** The outage that ends a workload: it makes dead letters of what the last requests left behind. */
export const lastOutage = (context: StepContext, seed: number): Promise<void> =>
  outage.play(context, { caller: LAST[seed % LAST.length] ?? 'RunSource', seconds: LONG_SECONDS });
