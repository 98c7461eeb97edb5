import { ServiceError } from '../domain/errors.ts';
import { EventId } from '../domain/event/event-id.ts';
import type { EventFilter } from '../domain/event/event-pattern/event-filter.ts';
import { streamOf } from '../domain/event/stream.ts';
import type { StreamRequest } from '../service/live/open-live-stream.ts';
import { tokenUse } from '../domain/live/token-streams.ts';
import { networkOf } from '../domain/network/network-of.ts';
import { unauthenticated } from './authentication.ts';
import type { Request } from './http.ts';

interface LiveInput {
  event_name?: string | undefined;
  filter?: EventFilter | undefined;
  last_event_id?: EventId | undefined;
}

/** The request for a live stream, as its use case takes it. */
export function liveRequest(
  {
    input,
    caller,
    fields,
    header,
    clientIp,
    client,
  }: Pick<Request<unknown, LiveInput>, 'input' | 'caller' | 'fields' | 'header' | 'clientIp' | 'client'>,
  { emitterId, owner, isPoll }: Pick<StreamRequest, 'emitterId' | 'owner' | 'isPoll'>,
): StreamRequest {
  const { live, userId } = caller;
  if (live && (live.emitterId !== emitterId || !isStream(input.event_name, live.stream)))
    throw unauthenticated('This token is for another stream: make one for this stream.');
  return {
    userId,
    emitterId,
    stream: live?.stream ?? streamOf(input.event_name),
    filter: input.filter,
    fields,
    // A client repeats the query of its first request, and sends the header when it connects again.
    position: positionIn(header('last-event-id')) ?? input.last_event_id,
    keyHash: caller.keyHash,
    token: live && tokenUse(caller.apiKey ?? '', live.maxStreams),
    address: networkOf(clientIp),
    client,
    until: live?.until,
    isPoll,
    owner,
  };
}

const isStream = (eventName: string | undefined, stream: string): boolean =>
  eventName === undefined || streamOf(eventName) === stream;

function positionIn(lastEventId: string | undefined): EventId | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  const parsed = EventId.safeParse(lastEventId);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    'invalid_cursor',
    'The header Last-Event-ID must be the id of an event: <epoch-milliseconds>-<sequence>.',
    { details: [{ path: 'last-event-id', message: 'must be the id of an event' }] },
  );
}
