import type { ShownEvent } from '../api/wire.ts';
import { lineOfEvent } from './line-of-event.ts';

interface EventLineProps {
  event: ShownEvent;
  /** Without it, events of `$errors` and `$logs` are shown as data. */
  stream?: string | undefined;
}

/** An event as one line. */
export const EventLine = ({ event, stream }: EventLineProps) => (
  <span class={event.metadata.summary === undefined ? 'event-text mono' : 'event-text'}>
    {lineOfEvent(event, stream)}
  </span>
);
