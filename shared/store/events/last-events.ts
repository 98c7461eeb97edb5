import * as z from 'zod';
import { positionOf } from '../../domain/event/event-id.ts';
import type { SourceId } from '../../domain/id.ts';
import {
  DEFAULT_STREAM,
  DELAYED_STREAM,
  ERRORS_STREAM,
  LOGS_STREAM,
  type StreamName,
} from '../../domain/event/stream.ts';
import { stateKey } from '../table/keys.ts';
import { newestEventStore } from './newest-event.ts';
import { batchGet, type TableOptions } from '../table/table-client.ts';

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
