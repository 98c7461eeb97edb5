import { BAD_WAYS, startBadReceivers } from './bad-receivers.ts';
import { quantile } from './closed-loop.ts';
import { openLoop } from './open-loop.ts';
import { startPipeline } from './pipeline.ts';
import { until } from '../../support/until.ts';

const WEBHOOKS = 10;
const BAD = [0, 1, 5, 9] as const;
/** A fraction of what the service can do: the latency is that of deliveries, not that of a backlog. */
const EVENTS_PER_SECOND = 50;
const TEXT = JSON.stringify('x'.repeat(100));
/** The p99 of the good webhooks may grow by this factor. */
const LARGEST_FACTOR = 1.2;

/** The webhooks fail once before: the first failure in the life of a process runs code that is not compiled yet. */
const WARM_UP_SECONDS = 4;
/** The breakers close after their first or second probe. */
const RECOVERY_SECONDS = 20;

interface FairnessOptions {
  /** Each number of bad webhooks is measured this often, in turn; the median counts. */
  rounds?: number;
  seconds?: number;
}

interface Round {
  p50Ms: number;
  p99Ms: number;
  badRequests: number;
}

/**
 * Latencies of the good ones among ten webhooks, from the moment when the others begin to hang, answer 500, or drip
 * bytes.
 */
async function round(bad: number, seconds: number): Promise<Round> {
  const receivers = await startBadReceivers();
  const urls = Array.from({ length: bad }, (_, n) => `${receivers.url(BAD_WAYS[n % BAD_WAYS.length] ?? 'hang')}/${n}`);
  const good = WEBHOOKS - bad;
  const pipeline = await startPipeline({ webhooks: good, urls });
  try {
    const measure = async (forSeconds: number) => {
      const latencies: number[] = [];
      pipeline.onDelivery = (dueAt, arrivedAt) => void latencies.push(arrivedAt - dueAt);
      const load = openLoop(pipeline, EVENTS_PER_SECOND, TEXT);
      await new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000));
      await load.stop();
      await until('the good webhooks have everything', () => latencies.length >= load.answered * good);
      return Float64Array.from(latencies).sort();
    };
    await measure(WARM_UP_SECONDS);
    receivers.turnBad();
    await measure(WARM_UP_SECONDS);
    receivers.turnGood();
    await measure(RECOVERY_SECONDS);
    receivers.turnBad();
    const latencies = await measure(seconds);
    return {
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      badRequests: receivers.requests,
    };
  } finally {
    await pipeline.stop();
    receivers.stop();
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Compares the latencies of good webhooks by the number of bad ones beside them. A factor compares within one round,
 * because the speed of a machine may change between rounds.
 */
export async function fairness({ rounds = 3, seconds = 60 }: FairnessOptions = {}) {
  const measured = new Map<number, Round[]>(BAD.map((bad) => [bad, []]));
  for (let n = 0; n < rounds; n += 1) for (const bad of BAD) measured.get(bad)?.push(await round(bad, seconds));
  const without = measured.get(0) ?? [];
  return [...measured].map(([bad, own]) => {
    const factors = own.map(({ p99Ms }, n) => p99Ms / (without[n]?.p99Ms ?? NaN));
    return {
      bad,
      good: WEBHOOKS - bad,
      p50Ms: median(own.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(own.map(({ p99Ms }) => p99Ms)),
      factor: median(factors).toFixed(2),
      promise: `≤ ${LARGEST_FACTOR}`,
      rounds: factors.map((factor) => factor.toFixed(2)).join(' '),
      badRequests: median(own.map(({ badRequests }) => badRequests)),
    };
  });
}
