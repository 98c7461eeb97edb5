import { Stage } from '../../../infra/stage.ts';
import { pricePerMillion, SECONDS_PER_MONTH } from '../costs/model.ts';
import { type EventCounts, readRecorded } from '../costs/recorded.ts';
import { BATCH, type Flow, type FlowOptions, simulateFlow } from './stack-flow.ts';

interface Scenario extends FlowOptions {
  readonly load: string;
  readonly stage: string;
  /** Requests per second for the price of a month. */
  readonly sustained?: number;
}

const { concurrency: small, throttle: slow } = Stage.parse({ concurrency: 'small' });
const { concurrency: standard, throttle } = Stage.parse({ concurrency: 'standard' });
/** A stage for 10,000 events a second, in an account with raised quotas. */
const raised = {
  concurrency: { ...standard, runs: 200, deliveries: 120 },
  throttle: { rate: 10_000, burst: 20_000 },
};
/** Events per second of each endpoint in the larger loads. */
const RATE_OF_SOURCE = 50;

const steady = (rate: number, sources: number, seconds = 60) => ({
  load: `${rate.toLocaleString('en')} a second`,
  phases: [{ rate, seconds }],
  sources,
  sustained: rate,
});
const burst = (rate: number, sources: number) => ({
  load: `${rate.toLocaleString('en')} a second, 10 × for 10 s`,
  phases: [
    { rate, seconds: 10 },
    { rate: 10 * rate, seconds: 10 },
    { rate, seconds: 10 },
  ],
  sources,
});

export const scenarios: readonly Scenario[] = [
  { ...steady(10, 1), stage: '`small`', concurrency: small, throttle: slow },
  { ...burst(10, 1), stage: '`small`', concurrency: small, throttle: slow },
  { ...steady(1_000, 1_000 / RATE_OF_SOURCE), stage: '`standard`', concurrency: standard, throttle },
  { ...burst(100, 20), stage: '`standard`', concurrency: standard, throttle },
  { ...burst(1_000, 200), stage: '`standard`', concurrency: standard, throttle },
  { ...steady(10_000, 10_000 / RATE_OF_SOURCE, 20), stage: 'raised', ...raised },
];

/**
 * US$ per million events to one webhook: what a batch costs is shared by its events. Equal to docs/costs.md for batches
 * of one and of ten.
 */
export function pricePerMillionAt(perBatch: number): number {
  const counts = readRecorded().events;
  const priceOf = (batches: EventCounts['batches']) => {
    const found = counts.find((each) => each.batches === batches && each.webhooks === 1 && each.body === 'order');
    if (!found) throw new Error(`There are no counts of events in batches of ${batches}.`);
    return pricePerMillion(found);
  };
  const [one, full] = [priceOf('one'), priceOf('full')];
  const ofBatch = (one - full) / (1 - 1 / BATCH);
  return one - ofBatch * (1 - 1 / perBatch);
}

/** Average number of events in a batch of either queue. */
export const perBatch = ({ runs, deliveries }: Flow): number =>
  (runs.messages + deliveries.messages) / (runs.batches + deliveries.batches);

const whole = (value: number) => Math.round(value).toLocaleString('en');
const usd = (value: number) => `$${value.toFixed(2)}`;

const HEADINGS = [
  'events',
  'stage',
  'endpoints',
  'refused',
  'most in `runs`',
  'most in `deliveries`',
  'runs at once',
  'batches of deliveries at once',
  'longest wait',
  'events in a batch',
  'a million',
  'a month',
];

function cellsOf({ load, stage, sustained, ...options }: Scenario): string[] {
  const flow = simulateFlow(options);
  const price = pricePerMillionAt(perBatch(flow));
  return [
    load,
    stage,
    whole(options.sources),
    whole(flow.refused),
    whole(flow.runs.mostWaiting),
    whole(flow.deliveries.mostWaiting),
    whole(flow.runs.mostBusy),
    whole(flow.deliveries.mostBusy),
    `${(flow.longestMs / 1_000).toFixed(2)} s`,
    perBatch(flow).toFixed(1),
    usd(price),
    sustained === undefined ? '' : `$${whole((price * sustained * SECONDS_PER_MONTH) / 1e6)}`,
  ];
}

/** The table of docs/scale.md. */
export function simulationTable(): string {
  const rows = [HEADINGS, HEADINGS.map(() => '---'), ...scenarios.map(cellsOf)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
