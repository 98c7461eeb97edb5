import { payloadText } from '../../aws/payloads.ts';
import type { EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import type { EventMatcher } from '../../domain/event/event-pattern/compile-pattern.ts';
import type { ListenerId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import type { WorkSteps } from '../../lib/reading/work-steps.ts';
import { shownEvent } from '../../domain/event/raw-event.ts';
import type { Bucket } from '../../aws/bucket.ts';
import type { Accepts } from '../notices/notice-audience.ts';

interface AcceptanceContext {
  bucket: Pick<Bucket, 'getText'>;
  matcherOf(filter: EventFilter): EventMatcher;
  workSteps: Pick<WorkSteps, 'finish'>;
}

interface ListenerMatchers {
  id: ListenerId;
  matches: readonly EventMatcher[];
}

/** Listeners whose filters are applied in one step, if their patterns and the event are small. */
const LISTENERS_PER_STEP = 50;

/** The listeners that do not get the event. */
function* refusedBy(
  matchers: readonly ListenerMatchers[],
  event: unknown,
): Generator<undefined, Set<ListenerId>, undefined> {
  const refused = new Set(matchers.map(({ id }) => id));
  for (const [index, { id, matches }] of matchers.entries()) {
    if (index % LISTENERS_PER_STEP === LISTENERS_PER_STEP - 1) yield;
    for (const matcher of matches) {
      const outcome = matcher(event);
      if (typeof outcome === 'boolean' ? outcome : yield* outcome) {
        refused.delete(id);
        break;
      }
    }
  }
  return refused;
}

/** Applies the filters of listeners to events. Parses each event once, and none when no listener has a filter. */
export async function acceptance(
  { bucket, matcherOf, workSteps }: AcceptanceContext,
  messages: readonly DeliveryMessage[],
  filters: ReadonlyMap<ListenerId, readonly EventFilter[]>,
): Promise<Accepts> {
  if (filters.size === 0) return () => true;
  const matchers = [...filters].map(([id, each]) => ({ id, matches: each.map(matcherOf) }));
  const refusals = new Map<DeliveryMessage, ReadonlySet<ListenerId>>();
  const apply = async (message: DeliveryMessage): Promise<void> => {
    const json = await payloadText(bucket, message.payload);
    // The payload of an old event has expired: it cannot be delivered, so it passes no filter.
    const refused = await (json === undefined
      ? new Set(filters.keys())
      : workSteps.finish(() => refusedBy(matchers, JSON.parse(shownEvent(message.emitterId, message.stream, json)))));
    refusals.set(message, refused);
  };
  await Promise.all(messages.map(apply));
  return (message, listenerId) => !refusals.get(message)?.has(listenerId);
}
