import * as z from 'zod';
import { type EventId, fromSortable } from '../domain/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import type { StreamName } from '../domain/stream.ts';
import { eventKey } from './keys.ts';

/** One event of a stream as it is read. */
export interface StoredEvent {
  stream: StreamName;
  id: EventId;
  emitId: string;
  /** With its `raw_event` wrapper. */
  json: string;
  /** `json` is a smaller rendering. */
  truncated: boolean;
  body: BodyPlace | undefined;
  /** When it was stored, epoch ms. */
  indexedAt: number;
  /** The emit's own id, summary and ts. */
  ownId?: string | undefined;
  summary?: string | undefined;
  ts?: number | undefined;
}

/** An event as it is shown: `json` has all of it. */
export type NewEvent = Omit<StoredEvent, 'truncated' | 'body'>;

/** The key of a stored event and where its body rests. */
export type EventRef = Pick<StoredEvent, 'stream' | 'id' | 'body'>;

/** Where the whole JSON of an event rests that its item shows a rendering of. */
const BodyPlace = z.enum(['item', 'object']);
type BodyPlace = z.infer<typeof BodyPlace>;

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

const LONGEST_SUMMARY = 1_000;

export const toEventItem = (
  emitterId: EmitterId,
  event: NewEvent,
  json: string,
  body: BodyPlace | undefined,
) => ({
  ...eventKey(emitterId, event.stream, event.id),
  j: json,
  e: event.emitId,
  t: event.indexedAt,
  ...(event.ownId === undefined ? {} : { i: event.ownId.slice(0, LONGEST_SUMMARY) }),
  ...(event.summary === undefined ? {} : { s: event.summary.slice(0, LONGEST_SUMMARY) }),
  ...(event.ts === undefined ? {} : { m: event.ts }),
  ...(body === undefined ? {} : { b: body }),
});

export function fromEventItem(stream: StreamName, item: unknown): StoredEvent {
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

export function refOfItem(stream: StreamName, item: unknown): EventRef {
  const { sk, b } = RefItem.parse(item);
  return { stream, id: fromSortable(sk), body: b };
}
