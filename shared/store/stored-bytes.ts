import * as z from 'zod';
import { hourTextOf, PAYLOAD_BYTES } from '../domain/user/activity.ts';
import { DAY_MS, HOUR_MS } from '../lib/durations.ts';
import { SourceId, type UserId, WorkflowId } from '../domain/id.ts';
import { readByteCounts } from './counts.ts';
import { bytesOfState } from './emitters.ts';
import { attemptsKey, stateKey, usageKey } from './keys.ts';
import { pointedIds } from './page.ts';
import { batchGet, type Key, queryAll, type TableOptions } from './table-client.ts';

/** Lifetime of large payloads in the bucket (`objectPrefixes`), and of deliveries. */
const PAYLOAD_LIFETIME_MS = 30 * DAY_MS;

const HourItem = z.object({ [PAYLOAD_BYTES]: z.number().default(0) });

/**
 * Counts the bytes that are stored for a user: events by the states of the emitters, payloads of the last 30 days by the hours of usage and
 * of attempts, delayed emits and components by the user's counters. It reads an item of each emitter, and two of each hour.
 */
export const storedBytes =
  (table: TableOptions) =>
  async (ownerId: UserId, now: number): Promise<number> => {
    const [sources, workflows, counts, ...payloads] = await Promise.all([
      pointedIds(table, { list: 'sources', ownerId }),
      pointedIds(table, { list: 'workflows', ownerId }),
      readByteCounts(table, ownerId),
      payloadBytes(table, (hour) => usageKey(ownerId, hour), now),
      payloadBytes(table, (hour) => attemptsKey(ownerId, hour), now),
    ]);
    const ids = [...sources.map((id) => SourceId.parse(id)), ...workflows.map((id) => WorkflowId.parse(id))];
    const states = await batchGet(table, ids.map(stateKey), { consistent: false });
    return sumOf([...states.map(bytesOfState), ...payloads, counts.componentBytes, counts.delayedBytes]);
  };

/** Bytes of the payloads that the hours' items of one kind count. */
async function payloadBytes(table: TableOptions, keyOf: (hour: string) => Key, now: number): Promise<number> {
  const first = keyOf(hourTextOf(now - PAYLOAD_LIFETIME_MS));
  // Clocks of other instances may be ahead.
  const last = keyOf(hourTextOf(now + HOUR_MS));
  const hours = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': last.sk },
    ProjectionExpression: PAYLOAD_BYTES,
    ConsistentRead: false,
  });
  return sumOf(hours.map((hour) => HourItem.parse(hour)[PAYLOAD_BYTES]));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
