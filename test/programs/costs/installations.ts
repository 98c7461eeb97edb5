import {
  environmentsPerMonth,
  EVENT_LOG_GB,
  logged,
  type Polling,
  SECONDS_PER_MONTH,
  unitsOfEnvironment,
  unitsOfEvent,
  unitsOfMetrics,
  unitsOfPolling,
} from './model.ts';
import { sum, times, type Units } from './prices.ts';
import type { EventCounts, Recorded } from './recorded.ts';

interface Installation {
  name: string;
  /** Sources that poll, each with the number of them. */
  pollers: readonly (Polling & { count: number })[];
  events: number;
  batches: EventCounts['batches'];
  /**
   * Tenants of the runner that are in use around the clock, besides those of the pollers: users, and sources with an
   * account.
   */
  busyTenants: number;
}

export const installations: readonly Installation[] = [
  {
    name: 'at home: 10 sources poll every 5 minutes for 1.5 s; 2,000 events',
    pollers: [{ count: 10, everySeconds: 300, runMs: 1_500 }],
    events: 2_000,
    batches: 'one',
    busyTenants: 0,
  },
  {
    name: 'a startup: 100 sources, 40 of them poll every 5 minutes for 2 s; 1 M events one by one',
    pollers: [{ count: 40, everySeconds: 300, runMs: 2_000 }],
    events: 1e6,
    batches: 'one',
    busyTenants: 60,
  },
  {
    name: '50 M events in full batches, of 20 busy sources; 20 sources poll every minute for 1 s',
    pollers: [{ count: 20, everySeconds: 60, runMs: 1_000 }],
    events: 50e6,
    batches: 'full',
    busyTenants: 20,
  },
];

/** An event of 1 KB, sent to its webhook with headers. */
const SENT_GB = 2e-6;
/** run-source reads the fields of an account from KMS every five minutes. */
const ACCOUNT_KEY_REQUESTS = SECONDS_PER_MONTH / 300;
/** A function that delivers decrypts a data key of webhooks every hour. */
const WEBHOOK_KEY_REQUESTS = SECONDS_PER_MONTH / 3_600;

/** A month of an installation, without what it costs idle. Each event goes to one webhook. */
export function unitsOfInstallation(recorded: Recorded, installation: Installation): Units {
  const { pollers, events, batches, busyTenants } = installation;
  const counts = recorded.events.find(
    (each) => each.webhooks === 1 && each.batches === batches && each.body === 'order',
  );
  if (!counts) throw new Error(`There are no counts of events in batches of ${batches}.`);
  const polled = pollers.map(({ count, ...polling }) => times(count, unitsOfPolling(recorded.poll, polling)));
  const tenants = busyTenants + pollers.reduce((total, { count }) => total + count, 0);
  return sum(
    ...polled,
    times(events, sum(logged(unitsOfEvent(counts)), { transferGb: SENT_GB, logGb: EVENT_LOG_GB })),
    times(busyTenants * environmentsPerMonth(1), unitsOfEnvironment),
    { keyRequest: tenants * ACCOUNT_KEY_REQUESTS + WEBHOOK_KEY_REQUESTS },
    unitsOfMetrics,
  );
}
