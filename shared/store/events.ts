import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type EventId, fromSortable, sortableEventId } from '../domain/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import {
  DEFAULT_STREAM,
  ERRORS_STREAM,
  HELD_STREAM,
  LOGS_STREAM,
  type StreamName,
} from '../domain/stream.ts';
import { KEPT_EVENTS } from '../domain/trimming.ts';
import { SUMMARY_BYTES, summarise } from '../domain/truncation.ts';
import { batchWrite, type WriteRequest } from './batch-write.ts';
import {
  bodyKey,
  emitterPartition,
  eventKey,
  STREAM_NAME_PREFIX,
  streamNameKey,
  streamPartition,
} from './keys.ts';
import { beginningWith, queryAll, type TableOptions } from './table-client.ts';

/** An event as it is shown: `json` has its `raw_event` wrapper already. */
export interface NewEvent {
  stream: StreamName;
  id: EventId;
  emitId: string;
  json: string;
  /** When it was stored, epoch ms. */
  indexedAt: number;
  /** The emit's own id, summary and ts. */
  ownId?: string | undefined;
  summary?: string | undefined;
  ts?: number | undefined;
}

/** One event of a stream as it is read. */
export interface StoredEvent extends NewEvent {
  /** `json` is a smaller rendering; {@link Events.whole} has all of it. */
  truncated: boolean;
  body: BodyPlace | undefined;
}

const BodyPlace = z.enum(['item', 'object']);
type BodyPlace = z.infer<typeof BodyPlace>;

/** The key of a stored event and where its body rests. */
export interface EventRef {
  stream: StreamName;
  id: EventId;
  body: BodyPlace | undefined;
}

/** Bodies that no item can hold. */
export interface BodyObjects {
  putText(key: string, text: string): Promise<void>;
  getText(key: string): Promise<string | undefined>;
  delete(key: string): Promise<void>;
}

/** A body above this is an object: items end at 400 KB, and a batch of ten must stay a quick request. */
const LARGEST_BODY_ITEM = 200_000;
const LONGEST_SUMMARY = 1_000;

/** Short names: most events are written for one write unit, which is 1,024 bytes with the names. */
const EventItem = z.object({
  sk: z.string(),
  /** JSON, or a rendering of it. */
  j: z.string(),
  e: z.string(),
  t: z.number(),
  i: z.string().optional(),
  s: z.string().optional(),
  m: z.number().optional(),
  b: BodyPlace.optional(),
});
const RefItem = EventItem.pick({ sk: true, b: true });
const BodyItem = z.object({ j: z.string() });
const NameItem = z.object({ name: z.string() });

export const bodyObjectKey = (emitterId: EmitterId, stream: StreamName, id: EventId) =>
  `bodies/${emitterId}/${id}-${Buffer.from(stream).toString('base64url')}`;

export interface Events {
  /** Writes events and removes others in the same requests. Writing again overwrites. */
  store(emitterId: EmitterId, events: readonly NewEvent[], leaving: readonly EventRef[]): Promise<void>;
  /** Everything stored of a stream, newest first. Eventually consistent unless asked otherwise. */
  refs(emitterId: EmitterId, stream: StreamName, options?: { consistent?: boolean }): Promise<EventRef[]>;
  /** What is readable of a stream, newest first: at most 100. */
  latest(emitterId: EmitterId, stream: StreamName): Promise<StoredEvent[]>;
  find(emitterId: EmitterId, stream: StreamName, id: EventId): Promise<StoredEvent | undefined>;
  /** All of the event's JSON. */
  whole(emitterId: EmitterId, event: Pick<StoredEvent, 'stream' | 'id' | 'json' | 'body'>): Promise<string>;
  /** Remembers that the emitter has such a stream. */
  addStream(emitterId: EmitterId, stream: StreamName): Promise<void>;
  /** Every stream that the emitter may have written. */
  streams(emitterId: EmitterId): Promise<StreamName[]>;
  forgetStreams(emitterId: EmitterId, streams: readonly StreamName[]): Promise<void>;
}

/** Streams that every emitter has, whether written or not. */
export const OWN_STREAMS: readonly StreamName[] = [DEFAULT_STREAM, ERRORS_STREAM, LOGS_STREAM, HELD_STREAM];

export function eventsOf(table: TableOptions, objects: BodyObjects): Events {
  const { dynamo, tableName } = table;

  async function writesOf(emitterId: EmitterId, event: NewEvent): Promise<WriteRequest[]> {
    const bytes = event.json.length * 3 <= SUMMARY_BYTES ? 0 : Buffer.byteLength(event.json);
    if (bytes <= SUMMARY_BYTES)
      return [{ PutRequest: { Item: itemOf(emitterId, event, event.json, undefined) } }];
    const { json } = summarise(event.json, event.stream);
    if (bytes > LARGEST_BODY_ITEM) {
      await objects.putText(bodyObjectKey(emitterId, event.stream, event.id), event.json);
      return [{ PutRequest: { Item: itemOf(emitterId, event, json, 'object') } }];
    }
    return [
      { PutRequest: { Item: { ...bodyKey(emitterId, event.stream, event.id), j: event.json } } },
      { PutRequest: { Item: itemOf(emitterId, event, json, 'item') } },
    ];
  }

  async function removalsOf(emitterId: EmitterId, { stream, id, body }: EventRef): Promise<WriteRequest[]> {
    if (body === 'object') await objects.delete(bodyObjectKey(emitterId, stream, id));
    return [
      { DeleteRequest: { Key: eventKey(emitterId, stream, id) } },
      ...(body === 'item' ? [{ DeleteRequest: { Key: bodyKey(emitterId, stream, id) } }] : []),
    ];
  }

  return {
    async store(emitterId, events, leaving) {
      const puts = await Promise.all(events.map((event) => writesOf(emitterId, event)));
      const removals = await Promise.all(leaving.map((ref) => removalsOf(emitterId, ref)));
      await batchWrite(table, [...puts.flat(), ...removals.flat()]);
    },

    async refs(emitterId, stream, { consistent = false } = {}) {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': streamPartition(emitterId, stream) },
        ProjectionExpression: 'sk, b',
        ScanIndexForward: false,
        ConsistentRead: consistent,
      });
      return items.map((item) => {
        const { sk, b } = RefItem.parse(item);
        return { stream, id: fromSortable(sk), body: b };
      });
    },

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
      return Items.map((item) => storedOf(stream, item));
    },

    async find(emitterId, stream, id) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: eventKey(emitterId, stream, id), ConsistentRead: true }),
      );
      return Item && storedOf(stream, Item);
    },

    async whole(emitterId, { stream, id, json, body }) {
      if (body === undefined) return json;
      if (body === 'object') return (await objects.getText(bodyObjectKey(emitterId, stream, id))) ?? json;
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: bodyKey(emitterId, stream, id), ConsistentRead: true }),
      );
      // Trimmed between the two reads: the rendering is what there is.
      return Item ? BodyItem.parse(Item).j : json;
    },

    async addStream(emitterId, stream) {
      await batchWrite(table, [
        { PutRequest: { Item: { ...streamNameKey(emitterId, stream), name: stream } } },
      ]);
    },

    async streams(emitterId) {
      const items = await queryAll(table, beginningWith(emitterPartition(emitterId), STREAM_NAME_PREFIX));
      return [...OWN_STREAMS, ...items.map((item) => NameItem.parse(item).name)];
    },

    async forgetStreams(emitterId, streams) {
      const custom = streams.filter((stream) => !OWN_STREAMS.includes(stream));
      await batchWrite(
        table,
        custom.map((stream) => ({ DeleteRequest: { Key: streamNameKey(emitterId, stream) } })),
      );
    },
  };
}

const itemOf = (emitterId: EmitterId, event: NewEvent, json: string, body: BodyPlace | undefined) => ({
  ...eventKey(emitterId, event.stream, event.id),
  j: json,
  e: event.emitId,
  t: event.indexedAt,
  ...(event.ownId === undefined ? {} : { i: event.ownId.slice(0, LONGEST_SUMMARY) }),
  ...(event.summary === undefined ? {} : { s: event.summary.slice(0, LONGEST_SUMMARY) }),
  ...(event.ts === undefined ? {} : { m: event.ts }),
  ...(body === undefined ? {} : { b: body }),
});

function storedOf(stream: StreamName, item: unknown): StoredEvent {
  const { sk, j, e, t, i, s, m, b } = EventItem.parse(item);
  return {
    stream,
    id: fromSortable(sk),
    json: j,
    emitId: e,
    indexedAt: t,
    ...(i === undefined ? {} : { ownId: i }),
    ...(s === undefined ? {} : { summary: s }),
    ...(m === undefined ? {} : { ts: m }),
    truncated: b !== undefined,
    body: b,
  };
}

/** Whether the event lies within the positions, both included. */
export const isWithin = (id: EventId, from: EventId | undefined, to: EventId): boolean => {
  const at = sortableEventId(id);
  return at <= sortableEventId(to) && (from === undefined || at >= sortableEventId(from));
};
