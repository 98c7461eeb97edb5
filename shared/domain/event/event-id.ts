import * as z from 'zod';

/**
 * `<epoch-milliseconds>-<sequence>`, strictly increasing within an emitter. The time is that of the trigger's first
 * receive; the sequence stays below 2^53.
 */
export const EventId = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,15})$/, 'must be an event id: <epoch-milliseconds>-<sequence>')
  .brand<'event'>();
export type EventId = z.infer<typeof EventId>;

export interface EventPosition {
  ms: number;
  sequence: number;
}

/** Synchronous runs number their events from here on, in no order. */
export const FIRST_SYNCHRONOUS = 2 ** 52;

export const eventId = ({ ms, sequence }: EventPosition): EventId => EventId.parse(`${ms}-${sequence}`);

export function positionOf(id: EventId): EventPosition {
  const [ms = '0', sequence = '0'] = id.split('-');
  return { ms: Number(ms), sequence: Number(sequence) };
}

/** The id with zero-padded numbers, which sorts as text in the order of the ids. */
export function sortableEventId(id: EventId): string {
  const [ms = '', sequence = ''] = id.split('-');
  return `${ms.padStart(15, '0')}-${sequence.padStart(16, '0')}`;
}

/** The inverse of {@link sortableEventId}. */
export function fromSortable(text: string): EventId {
  const [ms = '', sequence = ''] = text.split('-');
  return EventId.parse(`${Number(ms)}-${Number(sequence)}`);
}
