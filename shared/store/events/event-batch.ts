import { inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { type EventId, fromSortable, positionOf, sortableEventId } from '../../domain/event/event-id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { EmitterId } from '../../domain/id.ts';
import { packed, packedRefs, unpacked } from './earlier-events.ts';
import {
  EventFields,
  type EventRef,
  fromEventFields,
  type HeldEvent,
  type StoredEvent,
  toEventFields,
} from './event-item.ts';
import { eventKey } from '../table/keys.ts';

/*
 * Events of one batch and stream share an item: it has the key and the attributes of the newest one, and the others
 * packed. So an item of one event is as earlier releases wrote it, and an earlier release reads a larger item as its
 * newest event.
 */

/** A reader that looks for an event knows how far above it the key of its item can be. */
const MAX_SPAN_MS = 1_000;
/** The latest time that an event id can have. */
const LARGEST_MS = 999_999_999_999_999;

/** The earlier events of the item: `p` packed, or `o` as compressed JSON, which nothing writes any more. */
const EARLIER = { o: z.instanceof(Uint8Array).optional(), p: z.instanceof(Uint8Array).optional() };
export const EventItem = EventFields.extend(EARLIER);
const EarlierEvents = z.array(EventFields);

/** Read alone, for trimming. */
export const REF_ATTRIBUTES = 'sk, j, t, b, n, o, p';
const RefFields = EventFields.pick({ sk: true, b: true, n: true });
const RefItem = EventFields.pick({ sk: true, j: true, t: true, b: true, n: true }).extend(EARLIER);
const EarlierRefs = z.array(RefFields);

/** The references of the events in one item, whose key is that of its newest one. */
export interface StoredItem {
  readonly stream: StreamName;
  readonly id: EventId;
  readonly events: readonly EventRef[];
}

const oldestFirst = (a: { id: EventId }, b: { id: EventId }): number =>
  sortableEventId(a.id) < sortableEventId(b.id) ? -1 : 1;

/** Divides events into those of one item each. */
export function itemsOf<Event extends HeldEvent>(events: readonly Event[], perItem: number): Event[][] {
  const items: Event[][] = [];
  let first: Event | undefined;
  for (const event of events.toSorted(byStreamAndAge)) {
    const item = items.at(-1);
    if (item !== undefined && first !== undefined && item.length < perItem && mayShare(first, event)) {
      item.push(event);
    } else {
      items.push([event]);
      first = event;
    }
  }
  return items;
}

const byStreamAndAge = (a: HeldEvent, b: HeldEvent): number =>
  a.stream === b.stream ? oldestFirst(a, b) : a.stream < b.stream ? -1 : 1;

const mayShare = (first: HeldEvent, { stream, id }: HeldEvent): boolean =>
  stream === first.stream && positionOf(id).ms - positionOf(first.id).ms <= MAX_SPAN_MS;

/** The item of events of one stream, at least one. */
export function toEventItem(emitterId: EmitterId, events: readonly HeldEvent[]) {
  const [newest, ...earlier] = events.toSorted(oldestFirst).reverse();
  if (newest === undefined) throw new TypeError('An item has an event');
  const fields = toEventFields(newest);
  return {
    ...eventKey(emitterId, newest.stream, newest.id),
    ...fields,
    ...(earlier.length === 0 ? {} : { p: packed(fields, earlier) }),
  };
}

const inflated = (others: Uint8Array): unknown => JSON.parse(inflateRawSync(others).toString());

export function fromEventItem(stream: StreamName, item: unknown): StoredEvent[] {
  const { o, p, ...newest } = EventItem.parse(item);
  const earlier = [
    ...(p === undefined ? [] : unpacked(stream, newest, p)),
    ...(o === undefined ? [] : EarlierEvents.parse(inflated(o))),
  ];
  return [newest, ...earlier].map((fields) => fromEventFields(stream, fields));
}

export function fromRefItem(stream: StreamName, item: unknown): StoredItem {
  const { o, p, ...newest } = RefItem.parse(item);
  const earlier = [
    ...(p === undefined ? [] : packedRefs(newest, p)),
    ...(o === undefined ? [] : EarlierRefs.parse(inflated(o))),
  ];
  const events = [newest, ...earlier].map(({ sk, b, n }) => ({
    stream,
    id: fromSortable(sk),
    body: b,
    bytes: n,
  }));
  return { stream, id: fromSortable(newest.sk), events };
}

/**
 * Each event once, newest first. A repeated run may have divided its events in another way, and then two items have one
 * event: the later one counts.
 */
export function distinctEvents<Event extends Pick<StoredEvent, 'id'> & Partial<Pick<StoredEvent, 'indexedAt'>>>(
  events: readonly Event[],
): Event[] {
  const byId = new Map<EventId, Event>();
  for (const event of events) {
    const other = byId.get(event.id);
    if (other === undefined || (event.indexedAt ?? 0) > (other.indexedAt ?? 0)) byId.set(event.id, event);
  }
  return [...byId.values()].sort(oldestFirst).reverse();
}

/** The range of the sort keys of items that may have an event. */
export function keysAround(id: EventId): { from: string; to: string } {
  const { ms } = positionOf(id);
  const latest = Math.min(ms + MAX_SPAN_MS, LARGEST_MS);
  return { from: sortableEventId(id), to: `${String(latest).padStart(15, '0')}~` };
}
