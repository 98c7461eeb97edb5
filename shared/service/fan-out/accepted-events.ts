import { payloadText } from '../../aws/payloads.ts';
import type { EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import type { EventMatcher } from '../../domain/event/event-pattern/compile-pattern.ts';
import type { ListenerId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { shownEvent } from '../../domain/event/raw-event.ts';
import type { Bucket } from '../../aws/bucket.ts';

/** Whether a listener gets the event of a message. */
export type Accepts = (message: DeliveryMessage, listenerId: ListenerId) => boolean;

/** Applies the filters of listeners to events. Parses each event once, and none when no listener has a filter. */
export async function acceptance(
  { bucket, matcherOf }: { bucket: Pick<Bucket, 'getText'>; matcherOf(filter: EventFilter): EventMatcher },
  messages: readonly DeliveryMessage[],
  filters: ReadonlyMap<ListenerId, readonly EventFilter[]>,
): Promise<Accepts> {
  if (filters.size === 0) return () => true;
  const matchers = [...filters].map(([id, each]) => ({ id, matches: each.map(matcherOf) }));
  const refusals = new Map<DeliveryMessage, ReadonlySet<ListenerId>>();
  const apply = async (message: DeliveryMessage): Promise<void> => {
    const json = await payloadText(bucket, message.payload);
    // The payload of an old event has expired: it cannot be delivered, so it passes no filter.
    const event: unknown =
      json === undefined ? undefined : JSON.parse(shownEvent(message.emitterId, message.stream, json));
    const refused = matchers.filter(
      ({ matches }) => event === undefined || !matches.some((matches) => matches(event)),
    );
    refusals.set(message, new Set(refused.map(({ id }) => id)));
  };
  await Promise.all(messages.map(apply));
  return (message, listenerId) => !refusals.get(message)?.has(listenerId);
}
