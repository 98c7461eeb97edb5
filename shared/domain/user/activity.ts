import { MINUTE_MS } from '../../lib/durations.ts';
import { ERRORS_STREAM, LOGS_STREAM, type StreamName } from '../event/stream.ts';

/** Counters per minute. Their letters keep an item with all minutes of an hour within 1 KB, one write unit. */
const LETTERS = { runs: 'r', events: 'e', errors: 'x', delivered: 'd', failed: 'f' } as const;

export type Counter = keyof typeof LETTERS;
export type Activity = Record<Counter, number>;
export const COUNTERS: readonly Counter[] = ['runs', 'events', 'errors', 'delivered', 'failed'];

/** Attribute of the bytes of payloads that an hour stored, in the items of usage and of attempts. */
export const PAYLOAD_BYTES = 'b';

/** Rows that a caller may read: 24 hours. */
export const LONGEST_MINUTES = 1_440;

export const startOfMinute = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS;
/** The UTC hour: 2026-01-31T05. */
export const hourTextOf = (at: number): string => new Date(at).toISOString().slice(0, 13);

const MINUTE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The attribute of a counter in the item of its hour, two letters: the counter and the minute. */
export const counterName = (counter: Counter, at: number): string =>
  LETTERS[counter] + MINUTE_LETTERS.charAt(new Date(at).getUTCMinutes());

const BY_LETTER = new Map<string, Counter>(COUNTERS.map((counter) => [LETTERS[counter], counter]));

/** The sum of all minutes of an hour's item, for each counter that it has. */
export function sumOfMinutes(item: Readonly<Record<string, unknown>>): Activity {
  const sum: Activity = { runs: 0, events: 0, errors: 0, delivered: 0, failed: 0 };
  for (const [name, count] of Object.entries(item)) {
    const counter = name.length === 2 ? BY_LETTER.get(name.charAt(0)) : undefined;
    if (counter !== undefined && typeof count === 'number') sum[counter] += count;
  }
  return sum;
}

/** Events and errors among the stored events of a batch, by the stream of each. */
export function countStored(streams: Iterable<StreamName>): Pick<Activity, 'events' | 'errors'> {
  const counts = { events: 0, errors: 0 };
  for (const stream of streams) {
    if (stream === ERRORS_STREAM) counts.errors += 1;
    else if (stream !== LOGS_STREAM) counts.events += 1;
  }
  return counts;
}
