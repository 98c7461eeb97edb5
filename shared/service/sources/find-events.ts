import type { EventId } from '../../domain/event/event-id.ts';
import { isTrimmed } from '../../domain/event/trimming.ts';
import type { UserId } from '../../domain/id.ts';
import type { EmittedEvent, EventLookup } from '../../store/events/event-lookup.ts';
import type { StoredEventStore } from '../../store/events/stored-events.ts';
import { LISTED, type LookUpRates } from '../admission/look-up-rates.ts';

interface FindEventsContext {
  eventLookup: EventLookup;
  lookUps: LookUpRates;
  events: Pick<StoredEventStore, 'latest'>;
}

/** Several emitters may have an event of one id: it is a time and a number. */
const MAX_EVENTS = 20;

export async function findEvents(
  { eventLookup, lookUps, events }: FindEventsContext,
  ownerId: UserId,
  id: EventId,
): Promise<EmittedEvent[]> {
  await lookUps.admit(ownerId, LISTED);
  const streams = await eventLookup.streams(ownerId);
  await lookUps.admit(ownerId, streams.length);
  const stored = (await eventLookup.find(streams, id)).slice(0, MAX_EVENTS);
  const isReadable = await Promise.all(
    stored.map(async ({ emitterId, event }) => !isTrimmed(event, await events.latest(emitterId, event.stream))),
  );
  return stored.filter((_, index) => isReadable[index]);
}
