import { useQuery } from '@tanstack/preact-query';
import { listEvents } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import { ErrorText } from '../components/refusal.tsx';
import { Ago } from '../components/times/ago.tsx';
import { EventLine } from '../events/event-line.tsx';
import { filterProblem } from '../events/filter-problem.ts';
import { useSettled } from '../hooks/use-settled.ts';

const SHOWN = 5;
const TYPING_MS = 300;

/** The last events of an emitter that a filter accepts. */
export function FilterPreview(typed: { emitterId: string; stream: string; filter: string }) {
  const { emitterId, stream, filter } = useSettled(typed, TYPING_MS);
  const isOne = /^(?:dc|p)_[^*]/.test(emitterId);
  const isReadable = isOne && filterProblem(filter) === undefined;
  const all = useQuery({
    queryKey: ['filter-preview', emitterId, stream, ''],
    queryFn: ({ signal }) => listEvents({ emitterId, stream }, { signal }),
    enabled: isOne,
    retry: false,
  });
  const accepted = useQuery({
    queryKey: ['filter-preview', emitterId, stream, filter],
    queryFn: ({ signal }) => listEvents({ emitterId, stream, filter }, { signal }),
    enabled: isReadable,
    retry: false,
  });
  if (!isOne) return null;
  return (
    <section class="preview" aria-label="Preview of the filter" aria-live="polite">
      {filterProblem(filter) !== undefined && <p class="hint">{filterProblem(filter)}</p>}
      {isReadable && accepted.error !== null && <ErrorText error={accepted.error} />}
      {isReadable && accepted.data !== undefined && all.data !== undefined && (
        <>
          <p>{summaryOf(accepted.data.length, all.data.length, filter !== '')}</p>
          <ul class="plain">
            {accepted.data.slice(0, SHOWN).map((event) => (
              <li key={event.id}>
                <Ago ms={eventMs(event.id)} /> <EventLine event={event} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function summaryOf(accepted: number, all: number, isFiltered: boolean): string {
  if (all === 0) return 'The stream has no events yet to try the filter on.';
  if (all === 1) {
    if (!isFiltered) return 'Without a filter, the last event would be delivered.';
    return `The filter ${accepted === 1 ? 'accepts' : 'does not accept'} the last event.`;
  }
  return isFiltered
    ? `The filter accepts ${accepted} of the last ${all} events.`
    : `Without a filter, all of the last ${all} events would be delivered.`;
}
