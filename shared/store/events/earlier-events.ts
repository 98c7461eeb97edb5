import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { emitNamer } from '../../domain/event/emit-id.ts';
import { eventId, fromSortable, positionOf, sortableEventId } from '../../domain/event/event-id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import { newTrace, traceText } from '../../domain/event/trace.ts';
import { EventFields, type HeldEvent, sizeOfText, toEventFields } from './event-item.ts';

/*
 * The earlier events of an item, in few bytes. Emit ids and traces are hashes, which no compression makes smaller, but
 * they follow from the id of the trigger: a release that makes them in another way must still read these. The UUID of
 * that id stands outside the compressed text, as 16 bytes: as hexadecimal digits in it, it would take 18.
 */

/** The field is left out. */
const NONE = 0;
/** The trigger is that of the row before. */
const SAME = 1;

/** One event, relative to the newest one of its item. */
const Row = z.tuple([
  /** Milliseconds of its id before those of the newest event, and its sequence number. */
  z.int(),
  z.int(),
  /** Time of storage, in ms before that of the newest event. */
  z.number(),
  /** The id of its trigger, or the texts before and after the UUID of that id. */
  z.union([z.literal(NONE), z.literal(SAME), z.string(), z.tuple([z.string(), z.string()])]),
  /** JSON. */
  z.string(),
  /** Fields that do not follow from these. */
  EventFields.omit({ sk: true, j: true, t: true }).extend({
    e: z.string().optional(),
    n: z.number().optional(),
  }),
]);
type Row = z.output<typeof Row>;
type WrittenRow = z.input<typeof Row>;
const Rows = z.array(Row);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
/** The ids of a larger event stay: hashing it again takes more time than they take bytes. */
const MAX_HASHED_CHARACTERS = 2_048;
const UUID_CHARACTERS = 36;
const UUID_BYTES = 16;
/** Its parts between hyphens, as digits from and to. */
const UUID_PARTS = [
  [0, 8],
  [8, 12],
  [12, 16],
  [16, 20],
  [20, 32],
] as const;

type Newest = Pick<EventFields, 'sk' | 'j' | 't'>;
type Fields = z.output<typeof EventFields>;

/** The dictionary of the compression: most events look like the newest one. */
const dictionaryOf = ({ j }: Newest): Buffer => Buffer.from(JSON.stringify(j));

/** Emit id and trace, as they follow from the trigger. */
const derived = (trigger: string, stream: StreamName, { i, j }: Pick<EventFields, 'i' | 'j'>) => ({
  e: emitNamer(trigger)({ stream, id: i, json: j }),
  r: traceText(newTrace(trigger)),
});

/** The attribute with these events: the number of UUIDs, the UUIDs, and the compressed rows. */
export function packed(newest: Newest, events: readonly HeldEvent[]): Uint8Array {
  const uuids: Buffer[] = [];
  const { ms } = positionOf(fromSortable(newest.sk));
  let last: string | undefined;
  const rows = events.map((event): WrittenRow => {
    const { trigger, j, t, own } = ownFields(event);
    const isSame = trigger !== undefined && trigger === last;
    last = trigger;
    const position = positionOf(event.id);
    const named = isSame ? SAME : withoutUuid(trigger, uuids);
    return [ms - position.ms, position.sequence, newest.t - t, named, j, own];
  });
  const compressed = deflateRawSync(JSON.stringify(rows), { dictionary: dictionaryOf(newest) });
  return Buffer.concat([Uint8Array.of(uuids.length), ...uuids, compressed]);
}

/** Emit id and trace are left out only if a reader gets the same from the trigger. */
function ownFields({ emittedBy, ...event }: HeldEvent) {
  const { sk: _, j, t, e, r, n, ...others } = toEventFields(event);
  const isTraced = emittedBy !== undefined && r !== undefined && j.length <= MAX_HASHED_CHARACTERS;
  const ids = isTraced ? derived(emittedBy, event.stream, { i: others.i, j }) : undefined;
  const follows = ids?.e === e;
  const own: WrittenRow[5] = { ...others };
  if (!follows) own.e = e;
  if (!follows || ids.r !== r) own.r = r;
  if (n !== sizeOfText(j)) own.n = n;
  return { trigger: follows ? emittedBy : undefined, j, t, own };
}

function withoutUuid(trigger: string | undefined, uuids: Buffer[]): WrittenRow[3] {
  if (trigger === undefined) return NONE;
  const found = UUID.exec(trigger);
  if (!found) return trigger;
  uuids.push(Buffer.from(found[0].replaceAll('-', ''), 'hex'));
  return [trigger.slice(0, found.index), trigger.slice(found.index + UUID_CHARACTERS)];
}

function rowsOf(newest: Newest, attribute: Uint8Array) {
  const [count = 0] = attribute;
  const start = 1 + count * UUID_BYTES;
  const text = inflateRawSync(attribute.subarray(start), { dictionary: dictionaryOf(newest) }).toString();
  return {
    rows: Rows.parse(JSON.parse(text)),
    uuids: Buffer.from(attribute.subarray(1, start)).toString('hex'),
  };
}

/** Keys, locations and sizes of the events in the attribute. */
export const packedRefs = (newest: Newest, attribute: Uint8Array): Pick<Fields, 'sk' | 'b' | 'n'>[] =>
  rowsOf(newest, attribute).rows.map((row) => refOf(newest, row));

function refOf(newest: Newest, [msBefore, sequence, , , j, own]: Row) {
  const ms = positionOf(fromSortable(newest.sk)).ms - msBefore;
  return { sk: sortableEventId(eventId({ ms, sequence })), b: own.b, n: own.n ?? sizeOfText(j) };
}

/** The inverse of {@link packed}. */
export function unpacked(stream: StreamName, newest: Newest, attribute: Uint8Array): Fields[] {
  const { rows, uuids } = rowsOf(newest, attribute);
  let trigger: string | undefined;
  let next = 0;
  return rows.map((row) => {
    const [, , storedBefore, named, j, own] = row;
    if (named !== SAME) trigger = named === NONE ? undefined : idOf(named);
    const ids = trigger === undefined ? undefined : derived(trigger, stream, { i: own.i, j });
    const { e = ids?.e, r = ids?.r } = own;
    if (e === undefined) throw new TypeError('A packed event has neither an emit id nor a trigger');
    return { ...own, ...refOf(newest, row), t: newest.t - storedBefore, j, e, r };
  });

  function idOf(named: string | [string, string]): string {
    if (typeof named === 'string') return named;
    const digits = uuids.slice(next, (next += 2 * UUID_BYTES));
    return named.join(UUID_PARTS.map(([from, to]) => digits.slice(from, to)).join('-'));
  }
}
