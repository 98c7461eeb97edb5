import type { Attempted, Delivery } from '../session/response-schemas.ts';
import type { EventTextOf } from '../events/event-texts.ts';
import type { NameOf } from '../session/names-of.ts';
import type { Column } from './text-table.ts';

/** `rejected 500` */
export const outcomeText = (attempt: Delivery['last_attempt']): string =>
  attempt == null ? '' : `${attempt.outcome} ${attempt.status ?? ''}`.trim();

export const deliveryColumns = (name: NameOf, textOf: EventTextOf): readonly Column<Delivery>[] => [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'TIME', at: ({ created_at_ms: ms }) => ms },
  { heading: 'STATUS', of: ({ status }) => status },
  { heading: 'ATTEMPTS', drop: 4, of: ({ attempts }) => attempts },
  { heading: 'OUTCOME', of: ({ last_attempt: last }) => outcomeText(last) },
  { heading: 'NEXT', drop: 2, at: ({ next_attempt_ms: ms }) => ms },
  { heading: 'SOURCE', drop: 3, of: ({ emitter_id: id }) => name(id) },
  { heading: 'EVENT', of: (delivery) => [delivery.event_name ?? '', textOf(delivery)].join(' ').trim() },
  { heading: 'EVENT ID', isWhole: true, drop: 1, of: ({ event_id: id }) => id },
  { heading: 'SOURCE ID', isWide: true, of: ({ emitter_id: id }) => id },
];

/** The reason of a failed attempt is what prevented a response, or the beginning of the response. */
export const attemptColumns: readonly Column<Attempted>[] = [
  { heading: 'ATTEMPT', of: ({ attempt }) => attempt },
  { heading: 'TIME', at: ({ at_ms: ms }) => ms },
  { heading: 'OUTCOME', isWhole: true, of: outcomeText },
  { heading: 'MS', drop: 1, of: ({ ms }) => ms },
  { heading: 'REASON', of: ({ reason, answer }) => reason ?? answer },
];
