import { useMemo } from 'preact/hooks';
import type { ShownEvent } from '../api/wire.ts';
import { lineOfEvent } from './line-of-event.ts';

interface EventLineProps {
  event: ShownEvent;
  /** Without it, events of `$errors` and `$logs` are shown as data. */
  stream?: string | undefined;
}

/** An event as one line. */
export function EventLine({ event, stream }: EventLineProps) {
  // A list of a busy stream is drawn many times a second.
  const line = useMemo(() => lineOfEvent(event, stream), [event, stream]);
  return <span class="event-text">{line}</span>;
}
