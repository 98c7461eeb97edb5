import { useQuery } from '@tanstack/preact-query';
import { cut } from '../../../../shared/lib/cut.ts';
import { getEvent, type StreamRef } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import type { ShownEvent } from '../api/wire.ts';
import { Ago } from '../components/times/ago.tsx';
import { type EventChange, eventChanges } from './event-changes.ts';

interface EventDifferenceProps {
  stream: StreamRef;
  /** The whole data of the event. */
  json: string;
  previous: ShownEvent;
}

const MAX_SHOWN = 20;
const MAX_TEXT_CHARACTERS = 200;

const shortened = (json: string): string =>
  json.length > MAX_TEXT_CHARACTERS ? `${cut(json, MAX_TEXT_CHARACTERS)}…` : json;

/** The scalars that differ from the event before. */
export function EventDifference({ stream, json, previous }: EventDifferenceProps) {
  const isWhole = previous.metadata.truncated !== true;
  const { data } = useQuery({
    queryKey: ['event', stream, previous.id],
    queryFn: ({ signal }) => getEvent(stream, previous.id, signal),
    enabled: !isWhole,
    retry: false,
  });
  const earlier = isWhole ? previous.json : data?.json;
  if (earlier === undefined) return null;
  const changes = eventChanges(earlier, json);
  return (
    <section class="stack changes" aria-label="Changes">
      <h2 class="minor">
        Changed since the event before (<Ago ms={eventMs(previous.id)} />)
      </h2>
      {changes.length === 0 ? (
        <p class="hint">Nothing: the data is the same.</p>
      ) : (
        <ul class="plain">
          {changes.slice(0, MAX_SHOWN).map((change) => (
            <Change key={change.path} change={change} />
          ))}
          {changes.length > MAX_SHOWN && <li class="hint">and {changes.length - MAX_SHOWN} more</li>}
        </ul>
      )}
    </section>
  );
}

const Change = ({ change: { path, before, after } }: { change: EventChange }) => (
  <li class="change">
    <code class="json-name">{path === '' ? 'data' : path}</code>
    {before !== undefined && <del class="change-text">{shortened(before)}</del>}
    {before !== undefined && after !== undefined && <span aria-hidden="true">→</span>}
    {after !== undefined && <ins class="change-text">{shortened(after)}</ins>}
  </li>
);
