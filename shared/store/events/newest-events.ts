import { type EventId, sortableEventId, fromSortable, positionOf } from '../../domain/event/event-id.ts';
import { KEPT_EVENTS, SLACK } from '../../domain/event/trimming.ts';
import type { EmitterId, SourceId } from '../../domain/id.ts';
import {
  type StreamName,
  DEFAULT_STREAM,
  DELAYED_STREAM,
  ERRORS_STREAM,
  LOGS_STREAM,
} from '../../domain/event/stream.ts';
import { fromEventItem, distinctEvents } from './event-batch.ts';
import type { StoredEvent } from './event-item.ts';
import { streamPartition, stateKey } from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import { queryPage, type TableOptions, wholePartition, batchGet } from '../table/table-client.ts';
import * as z from 'zod';

/** All that a stream may store. */
const MAX_STORED = KEPT_EVENTS + SLACK;

/** Reads the stored events of a stream from a position on, newest first, strongly consistent. */
export type ReadNewest = (emitterId: EmitterId, stream: StreamName, from: EventId) => Promise<StoredEvent[]>;

export const newestEvents =
  (table: TableOptions): ReadNewest =>
  async (emitterId, stream, from) => {
    const items = await queryPage(table, {
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      ExpressionAttributeValues: {
        ':pk': streamPartition(emitterId, stream),
        ':from': sortableEventId(from),
      },
      ScanIndexForward: false,
      Limit: MAX_STORED,
    });
    const events = readItems(table, items, (item) => fromEventItem(stream, item)).flat();
    return distinctEvents(events.filter(({ id }) => sortableEventId(id) >= sortableEventId(from))).slice(0, MAX_STORED);
  };

/** The id of the newest event in a stream, strongly consistent. */
export const newestEventStore =
  (table: TableOptions) =>
  async (emitterId: EmitterId, stream: StreamName): Promise<EventId | undefined> => {
    const [newest] = await queryPage(table, {
      ...wholePartition(streamPartition(emitterId, stream)),
      ProjectionExpression: 'sk',
      ScanIndexForward: false,
      Limit: 1,
    });
    return newest && fromSortable(String(newest['sk']));
  };

/** Times of a source's newest events, epoch ms. */
export interface LastEvents {
  /** On any stream but `$errors` and `$logs`. */
  event: number | null;
  error: number | null;
}

/** The streams that a source has counted; uncounted ones are not looked at. */
const StateItem = z.object({ pk: z.string(), st: z.record(z.string(), z.number()) });

const SILENT: ReadonlySet<StreamName> = new Set([ERRORS_STREAM, LOGS_STREAM, DELAYED_STREAM]);

/** Reads the times from the streams themselves, so that no event costs a further write. */
export function lastEventStore(table: TableOptions) {
  const newestEvent = newestEventStore(table);

  async function newestMs(id: SourceId, streams: Iterable<StreamName>): Promise<number | null> {
    const newest = await Promise.all(Array.from(streams, (stream) => newestEvent(id, stream)));
    const times = newest.flatMap((event) => (event === undefined ? [] : [positionOf(event).ms]));
    return times.length === 0 ? null : Math.max(...times);
  }

  /** A source without a saved state has emitted nothing. */
  return async (ids: readonly SourceId[]): Promise<Map<SourceId, LastEvents>> => {
    const items = await batchGet(table, ids.map(stateKey), { consistent: false });
    const counted = new Map(items.map((item) => [StateItem.parse(item).pk, StateItem.parse(item).st]));
    const read = async (id: SourceId): Promise<[SourceId, LastEvents]> => {
      const streams = counted.get(stateKey(id).pk);
      if (!streams) return [id, { event: null, error: null }];
      const emitted = [DEFAULT_STREAM, ...Object.keys(streams)].filter((stream) => !SILENT.has(stream));
      const [event, error] = await Promise.all([newestMs(id, new Set(emitted)), newestMs(id, [ERRORS_STREAM])]);
      return [id, { event, error }];
    };
    return new Map(await Promise.all(ids.map(read)));
  };
}
