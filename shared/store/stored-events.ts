import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EventId } from '../domain/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import { OWN_STREAMS, type StreamName } from '../domain/stream.ts';
import { KEPT_EVENTS } from '../domain/trimming.ts';
import { fromEventItem, type StoredEvent } from './event-item.ts';
import { bodyKey, emitterPartition, eventKey, STREAM_NAME_PREFIX, streamPartition } from './keys.ts';
import { beginningWith, queryAll, type TableOptions } from './table-client.ts';

const BodyItem = z.object({ j: z.string() });
const NameItem = z.object({ name: z.string() });

/** Names one event among all. */
export interface EventPlace {
  emitterId: EmitterId;
  stream: StreamName;
  id: EventId;
}

/** What is read of events. */
export interface StoredEventStore {
  /** What is readable of a stream, newest first: at most 100. */
  latest(emitterId: EmitterId, stream: StreamName): Promise<StoredEvent[]>;
  find(emitterId: EmitterId, stream: StreamName, id: EventId): Promise<StoredEvent | undefined>;
  /** All of the event's JSON. */
  whole(emitterId: EmitterId, event: Pick<StoredEvent, 'stream' | 'id' | 'json' | 'body'>): Promise<string>;
  /** Every stream that the emitter may have written. */
  streams(emitterId: EmitterId): Promise<StreamName[]>;
}

export function storedEventStore(
  table: TableOptions,
  bodies: { get(place: EventPlace): Promise<string | undefined> },
): StoredEventStore {
  const { dynamo, tableName } = table;
  return {
    async latest(emitterId, stream) {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': streamPartition(emitterId, stream) },
          ScanIndexForward: false,
          Limit: KEPT_EVENTS,
        }),
      );
      return Items.map((item) => fromEventItem(stream, item));
    },

    async find(emitterId, stream, id) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: eventKey(emitterId, stream, id), ConsistentRead: true }),
      );
      return Item && fromEventItem(stream, Item);
    },

    async whole(emitterId, { stream, id, json, body }) {
      if (body === undefined) return json;
      if (body === 'object') return (await bodies.get({ emitterId, stream, id })) ?? json;
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: bodyKey(emitterId, stream, id), ConsistentRead: true }),
      );
      // Trimmed between the two reads: the rendering is what there is.
      return Item ? BodyItem.parse(Item).j : json;
    },

    async streams(emitterId) {
      const items = await queryAll(table, beginningWith(emitterPartition(emitterId), STREAM_NAME_PREFIX));
      return [...OWN_STREAMS, ...items.map((item) => NameItem.parse(item).name)];
    },
  };
}
