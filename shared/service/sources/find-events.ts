import type { EventId } from '../../domain/event/event-id.ts';
import { isTrimmed } from '../../domain/event/trimming.ts';
import type { UserId } from '../../domain/id.ts';
import type { EmittedEvent, LookUpEvents } from '../../store/event-lookup.ts';
import type { StoredEventStore } from '../../store/stored-events.ts';

interface FindEventsContext {
  lookUpEvents: LookUpEvents;
  events: Pick<StoredEventStore, 'latest'>;
}

/** Several emitters may have an event of one id: it is a time and a number. */
const MAX_EVENTS = 20;

/** The readable events of a user with this id. */
export async function findEvents(
  { lookUpEvents, events }: FindEventsContext,
  ownerId: UserId,
  id: EventId,
): Promise<EmittedEvent[]> {
  const stored = (await lookUpEvents(ownerId, id)).slice(0, MAX_EVENTS);
  const isReadable = await Promise.all(
    stored.map(
      async ({ emitterId, event }) => !isTrimmed(event, await events.latest(emitterId, event.stream)),
    ),
  );
  return stored.filter((_, index) => isReadable[index]);
}
