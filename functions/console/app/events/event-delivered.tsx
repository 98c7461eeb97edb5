import { type Query, useQuery } from '@tanstack/preact-query';
import { getEvent, type StreamRef } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import { isRefusal } from '../api/refused-request.ts';
import type { ShownWholeEvent } from '../api/wire.ts';
import { Badge } from '../components/badge.tsx';
import { growingInterval } from '../hooks/growing-interval.ts';
import { useElapsed } from '../hooks/use-elapsed.ts';
import { useSeen } from '../hooks/use-seen.ts';
import { deliveredCount, isSettled } from './delivered-count.ts';

interface EventDeliveredProps {
  stream: StreamRef;
  eventId: string;
}

/**
 * A delivery is listed this long after its first attempt. A stream of many events per second moves its rows out of
 * sight before that.
 */
const LISTED_MS = 2_000;
const POLL = { firstMs: 2_000, longestMs: 60_000 };
/** An event of this age without a delivery gets none. */
const LATE_MS = 60_000;

/** How many deliveries of a listed event have arrived: `3 of 4 delivered`. Nothing is read before its row was seen. */
export function EventDelivered(props: EventDeliveredProps) {
  const isListed = useElapsed(true, LISTED_MS - (Date.now() - eventMs(props.eventId)));
  return isListed ? <Seen {...props} /> : null;
}

function Seen({ stream, eventId }: EventDeliveredProps) {
  const [part, isSeen] = useSeen<HTMLSpanElement>();
  const { data } = useQuery({
    queryKey: ['event', stream, eventId],
    queryFn: ({ signal }) => getEvent(stream, eventId, signal),
    enabled: isSeen,
    staleTime: LISTED_MS,
    retry: false,
    refetchInterval: ({ state }: Query<ShownWholeEvent>) => nextRead(state, eventId),
  });
  const found = data && deliveredCount([data]);
  return (
    <span ref={part} class="event-delivered">
      {found && (
        <Badge tone={found.isLost ? 'bad' : found.delivered === found.count ? 'ok' : 'warn'}>{found.text}</Badge>
      )}
    </span>
  );
}

function nextRead(state: Query<ShownWholeEvent>['state'], eventId: string): number | false {
  if (isRefusal(state.error)) return false;
  if (state.data && isSettled(state.data)) return false;
  const isLate = state.data?.deliveries.length === 0 && Date.now() - eventMs(eventId) > LATE_MS;
  return isLate ? false : growingInterval(state, POLL);
}
