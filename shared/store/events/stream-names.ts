import * as z from 'zod';
import { OWN_STREAMS, type StreamName } from '../../domain/event/stream.ts';
import type { CustomStream } from '../../domain/event/replaced-streams.ts';
import { KEPT_EVENTS } from '../../domain/event/trimming.ts';
import type { EmitterId } from '../../domain/id.ts';
import { batchWrite, type PutItem, puts, removals } from '../table/batch-write.ts';
import { emitterPartition, STREAM_NAME_PREFIX, streamNameKey } from '../table/keys.ts';
import { updateItem, beginningWith, queryAll, type TableOptions } from '../table/table-client.ts';

/**
 * `n` events since `at`. An item of an earlier release has neither: its stream counts as full, so that no new one
 * pushes it out first.
 */
const NameItem = z.object({
  name: z.string(),
  n: z.number().default(KEPT_EVENTS),
  at: z.number().default(0),
});

/** The item of a stream; its number of events is the one of the last change below what a stream keeps. */
export const streamNameItem = (emitterId: EmitterId, { name, events, since }: CustomStream): PutItem => ({
  ...streamNameKey(emitterId, name),
  name,
  n: Math.min(events, KEPT_EVENTS),
  at: since,
});

export type StreamNameStore = ReturnType<typeof streamNameStore>;

export function streamNameStore(table: TableOptions) {
  return {
    async customStreams(emitterId: EmitterId): Promise<CustomStream[]> {
      const items = await queryAll(table, beginningWith(emitterPartition(emitterId), STREAM_NAME_PREFIX));
      return items.map((item) => {
        const { name, n, at } = NameItem.parse(item);
        return { name, events: n, since: at };
      });
    },

    addStreams: (emitterId: EmitterId, streams: readonly CustomStream[]): Promise<void> =>
      batchWrite(table, puts(streams.map((stream) => streamNameItem(emitterId, stream)))),

    /** Records the number of a stream's events, if the emitter has the stream. */
    async countStream(emitterId: EmitterId, stream: StreamName, events: number): Promise<void> {
      await updateItem(table, {
        Key: streamNameKey(emitterId, stream),
        UpdateExpression: 'SET n = :events',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':events': Math.min(events, KEPT_EVENTS) },
      });
    },

    async forgetStreams(emitterId: EmitterId, streams: readonly StreamName[]): Promise<void> {
      const custom = streams.filter((stream) => !OWN_STREAMS.includes(stream));
      await batchWrite(table, removals(custom.map((stream) => streamNameKey(emitterId, stream))));
    },
  };
}
