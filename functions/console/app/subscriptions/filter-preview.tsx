import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getEvent, listEvents, type StreamRef } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import type { ShownEvent } from '../api/wire.ts';
import { ErrorText } from '../components/refusal.tsx';
import { Ago } from '../components/times/ago.tsx';
import { EventLine } from '../events/event-line.tsx';
import { filterProblem } from '../events/filter-problem.ts';
import { useSettled } from '../hooks/use-settled.ts';
import { EventValues } from './event-values.tsx';
import { SamplePreview } from './sample-preview.tsx';

const SHOWN = 5;
const TYPING_MS = 300;

interface FilterPreviewProps {
  emitterId: string;
  stream: string;
  filter: string;
  onChange: (filter: string) => void;
}

/** The last events of an emitter that a filter accepts. An opened event offers its values as conditions. */
export function FilterPreview({ onChange, ...typed }: FilterPreviewProps) {
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
    // An opened event stays open while another filter is tried.
    placeholderData: (shown: ShownEvent[] | undefined, before) =>
      before?.queryKey[1] === emitterId && before.queryKey[2] === stream ? shown : undefined,
    enabled: isReadable,
    retry: false,
  });
  if (!isOne) return null;
  return (
    <section class="preview" aria-label="Preview of the filter" aria-live="polite">
      {filterProblem(filter) !== undefined && <p class="hint">{filterProblem(filter)}</p>}
      {isReadable && <SamplePreview sourceId={emitterId} filter={filter} />}
      {isReadable && accepted.error !== null && <ErrorText error={accepted.error} />}
      {isReadable && accepted.data !== undefined && all.data !== undefined && (
        <>
          <p>{summaryOf(accepted.data.length, all.data.length, filter !== '')}</p>
          {all.data.length > 0 && <p class="hint">Open an event, and press a value to add it to the filter.</p>}
          <ul class="plain">
            {(accepted.data.length === 0 ? all.data : accepted.data).slice(0, SHOWN).map((event) => (
              <li key={event.id}>
                <PreviewEvent event={event} stream={{ emitterId, stream }} filter={typed.filter} onChange={onChange} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface PreviewEventProps {
  event: ShownEvent;
  stream: StreamRef;
  filter: string;
  onChange: (filter: string) => void;
}

function PreviewEvent({ event, stream, filter, onChange }: PreviewEventProps) {
  const [isOpen, setOpen] = useState(false);
  // The data in a list may be shortened.
  const { data, error } = useQuery({
    queryKey: ['event', stream, event.id],
    queryFn: ({ signal }) => getEvent(stream, event.id, signal),
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Ago ms={eventMs(event.id)} /> <EventLine event={event} />
      </summary>
      {error && <ErrorText error={error} />}
      {data && <EventValues json={data.json} filter={filter} onChange={onChange} />}
    </details>
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
