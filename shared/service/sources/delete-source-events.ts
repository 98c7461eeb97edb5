import { type EventId, sortableEventId } from '../../domain/event/event-id.ts';
import type { Random, SourceId, UserId } from '../../domain/id.ts';
import type { DeleteEventsTrigger, Trigger } from '../../domain/run/message.ts';
import { type StreamName, streamOf } from '../../domain/event/stream.ts';
import type { StoredEventStore } from '../../store/events/stored-events.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';
import { invalidField } from '../../domain/check.ts';

interface DeleteEventsContext extends OwnedSourceContext {
  events: Pick<StoredEventStore, 'streams'>;
  newestEvent(emitterId: SourceId, stream: StreamName): Promise<EventId | undefined>;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  random: Random;
  now(): number;
}

export interface DeletionRequest {
  id: SourceId;
  userId: UserId;
  start: EventId | undefined;
  end: EventId | undefined;
  eventName: string | undefined;
}

/** With the longest names of streams, a trigger of so many fits an item of a backlog. */
const MAX_RANGES = 500;

type Range = DeleteEventsTrigger['ranges'][number];

/** Queues the deletion of stored events. The upper bound of each stream is fixed now, so that later events stay. */
export async function deleteSourceEvents(context: DeleteEventsContext, request: DeletionRequest): Promise<void> {
  const { events, newestEvent, sendTriggers, random, now } = context;
  const { id, userId, start, end, eventName } = request;
  await ownedSource(context, id, userId);
  if (start !== undefined && end !== undefined && isLater(start, end))
    throw invalidField('start_id', 'must not be later than end_id');
  const hasRange = start !== undefined || end !== undefined;
  const streams = hasRange || eventName !== undefined ? [streamOf(eventName)] : await events.streams(id);
  const ranges = await Promise.all(
    streams.map(async (stream) => rangeOf({ stream, start, end }, await newestEvent(id, stream))),
  );
  const covered = ranges.filter((range) => range !== undefined);
  const triggers: DeleteEventsTrigger[] = [];
  for (let from = 0; from < covered.length; from += MAX_RANGES)
    triggers.push({
      kind: 'delete-events',
      id: `delete-${Buffer.from(random(16)).toString('hex')}`,
      emitterId: id,
      ownerId: userId,
      at: now(),
      ranges: covered.slice(from, from + MAX_RANGES),
    });
  if (triggers.length > 0) await sendTriggers(triggers);
}

const isLater = (a: EventId, b: EventId) => sortableEventId(a) > sortableEventId(b);

function rangeOf(
  { stream, start, end }: { stream: StreamName; start: EventId | undefined; end: EventId | undefined },
  newest: EventId | undefined,
): Range | undefined {
  if (newest === undefined) return undefined;
  const to = end !== undefined && isLater(newest, end) ? end : newest;
  if (start === undefined) return { stream, to };
  return isLater(start, to) ? undefined : { stream, from: start, to };
}

interface DeleteTriggersContext extends OwnedSourceContext {
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  random: Random;
  now(): number;
}

/** Queues the deletion of the triggers that wait. The message has its place among them, so that later ones stay. */
export async function deleteSourceTriggers(
  context: DeleteTriggersContext,
  id: SourceId,
  userId: UserId,
): Promise<void> {
  const { sendTriggers, random, now } = context;
  await ownedSource(context, id, userId);
  await sendTriggers([
    {
      kind: 'delete-triggers',
      id: `drop-${Buffer.from(random(16)).toString('hex')}`,
      emitterId: id,
      ownerId: userId,
      at: now(),
    },
  ]);
}
