import * as z from 'zod';
import { cut } from '../../lib/cut.ts';
import { type EventId, fromSortable, sortableEventId } from '../../domain/event/event-id.ts';
import type { EncodedJson } from '../../domain/event/payload.ts';
import { StreamName } from '../../domain/event/stream.ts';
import { chainFields } from '../../domain/run/chain.ts';
import { type Trace, traceOfText, traceText } from '../../domain/event/trace.ts';

/** The stream, the time and the ancestry with which a delayed emit is emitted. */
const DelayedTo = z.object({ stream: StreamName, deliveryTs: z.number(), ...chainFields });
export type DelayedTo = z.infer<typeof DelayedTo>;

export interface StoredEvent {
  stream: StreamName;
  id: EventId;
  emitId: string;
  /** JSON text; events that are not objects are wrapped in `raw_event`. */
  json: string;
  /** True when `json` is a shortened rendering. */
  truncated: boolean;
  body: BodyLocation | undefined;
  /** Bytes that the event counts for; 0 for an event of a release that did not count them. */
  bytes: number;
  /** Time of storage, epoch ms. */
  indexedAt: number;
  /** The emit's own id, summary and ts. */
  ownId?: string | undefined;
  summary?: string | undefined;
  ts?: number | undefined;
  /** The trigger, if its caller got its id. */
  triggerId?: string | undefined;
  trace?: Trace | undefined;
  /** Number of events just before this one that were never stored, because their batch had more than a stream keeps. */
  leftOut?: number | undefined;
  /** Only of an event that waits on stream `$in`; absent in one of an earlier release. */
  delayedTo?: DelayedTo | undefined;
}

export interface HeldEvent extends Omit<StoredEvent, 'truncated'> {
  /** The id of the trigger that emitted the event. Events that are read do not have it. */
  emittedBy?: string | undefined;
}

/** An event to store: `json` is complete. */
export interface NewEvent extends Omit<HeldEvent, 'body' | 'bytes'>, EncodedJson {
  /** Its summary, if it was made. */
  shortened?: string | undefined;
}

/** The key of a stored event, the location of its body, and its size. */
export type EventRef = Pick<StoredEvent, 'stream' | 'id' | 'body' | 'bytes'>;

/** Bytes of keys and other fields, which every event has. */
const ITEM_BYTES = 200;

export const storedSize = ({ json, utf8 }: EncodedJson): number => (utf8 ? ITEM_BYTES + utf8.length : sizeOfText(json));

export const sizeOfText = (json: string): number => ITEM_BYTES + Buffer.byteLength(json);

/** Location of a truncated event's complete JSON. */
const BodyLocation = z.enum(['item', 'object']);
type BodyLocation = z.infer<typeof BodyLocation>;

/** Short attribute names: one write unit is 1,024 bytes, including names. */
export const EventFields = z.object({
  sk: z.string(),
  /** JSON, or a shortened rendering. */
  j: z.string(),
  e: z.string(),
  t: z.number(),
  i: z.string().optional(),
  s: z.string().optional(),
  m: z.number().optional(),
  g: z.string().optional(),
  r: z.string().optional(),
  l: z.number().optional(),
  d: DelayedTo.optional(),
  b: BodyLocation.optional(),
  n: z.number().default(0),
});
export type EventFields = z.input<typeof EventFields>;

const LONGEST_SUMMARY = 1_000;

/** Attributes that are undefined are not written. */
export const toEventFields = (event: Omit<StoredEvent, 'truncated'>): EventFields => ({
  sk: sortableEventId(event.id),
  j: event.json,
  e: event.emitId,
  t: event.indexedAt,
  i: event.ownId && cut(event.ownId, LONGEST_SUMMARY),
  s: event.summary && cut(event.summary, LONGEST_SUMMARY),
  m: event.ts,
  g: event.triggerId,
  r: event.trace && traceText(event.trace),
  l: event.leftOut,
  d: event.delayedTo,
  b: event.body,
  n: event.bytes,
});

export function fromEventFields(stream: StreamName, fields: z.output<typeof EventFields>): StoredEvent {
  const { sk, j, e, t, i, s, m, g, r, l, d, b, n } = fields;
  return {
    stream,
    id: fromSortable(sk),
    json: j,
    emitId: e,
    indexedAt: t,
    ...(i === undefined ? {} : { ownId: i }),
    ...(s === undefined ? {} : { summary: s }),
    ...(m === undefined ? {} : { ts: m }),
    ...(g === undefined ? {} : { triggerId: g }),
    ...(r === undefined ? {} : { trace: traceOfText(r) }),
    ...(l === undefined ? {} : { leftOut: l }),
    ...(d === undefined ? {} : { delayedTo: d }),
    truncated: b !== undefined,
    body: b,
    bytes: n,
  };
}
