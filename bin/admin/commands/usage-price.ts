import type { DailyUsage } from '../../../shared/store/users/daily-usage.ts';

/**
 * US dollars on AWS in `us-east-1` (docs/costs.md): of work that comes alone, which costs most. An order of 160 bytes
 * to one webhook is a run, an event and a delivery, $8.79 per million together. A failed attempt is a message to a
 * queue and a write more.
 */
const USAGE_PRICES = {
  run: 6.2e-6,
  event: 1.83e-6,
  delivered: 0.76e-6,
  failed: 2.5e-6,
  /** 1.25 GB of Lambda: the runner, and run-source which waits for it. */
  computeSecond: 1.25 * 13.3334e-6,
  /** A month in the bucket. */
  payloadGb: 0.023,
} as const;

/** The estimated price of a day, without logs, data transfer and stored events. */
export const priceOf = (used: Omit<DailyUsage, 'day'>): number =>
  used.runs * USAGE_PRICES.run +
  (used.events + used.errors) * USAGE_PRICES.event +
  used.delivered * USAGE_PRICES.delivered +
  used.failed * USAGE_PRICES.failed +
  (used.computeMs / 1_000) * USAGE_PRICES.computeSecond +
  (used.payloadBytes / 1e9) * USAGE_PRICES.payloadGb;
