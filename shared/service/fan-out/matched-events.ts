import { messagePayloadKey } from '../../aws/object-keys.ts';
import { copiedPayload, payloadText } from '../../aws/payloads.ts';
import { chainOfNextPage } from '../../domain/run/chain.ts';
import { createMatchers, type EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import { isSourceId, type ListenerId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import { WorkSteps } from '../../lib/reading/work-steps.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { type Accepts, withoutSubjects } from '../notices/notice-audience.ts';
import type { DeliveryBatch, StoredFirst } from './stored-first.ts';
import type { FanOutServices } from './fan-out-services.ts';
import type { EventMatcher } from '../../domain/event/event-pattern/compile-pattern.ts';
import { shownEvent } from '../../domain/event/raw-event.ts';
import type { Bucket } from '../../aws/bucket.ts';

/** Events of one emitter and stream, with the listeners that get at least one of them. */
export interface MatchedEvents {
  messages: readonly DeliveryMessage[];
  sourceIds: ListenerId[];
  /** Webhooks and workflows. */
  targetIds: ListenerId[];
  accepts: Accepts;
  /** Another message leads to the emitter's further listeners. */
  hasNextPage: boolean;
  /**
   * The error of a subscription that cannot be read: the messages come back for it, and the other listeners get them
   * now.
   */
  failure?: unknown;
}

/** Groups events with the same listeners, which are matched together. */
export function groupsOf(messages: readonly DeliveryMessage[]): DeliveryMessage[][] {
  const groups = new Map<string, DeliveryMessage[]>();
  for (const message of messages) {
    const { emitterId, stream, after } = message;
    const key = JSON.stringify([emitterId, stream, after]);
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  return [...groups.values()];
}

/**
 * Finds the listeners of a group of events: one match for all, each listener once. A further page of listeners is left
 * to a message.
 */
export function createMatch({ matching, bucket, sendDeliveries }: FanOutServices, stored: StoredFirst) {
  const matcherOf = createMatchers();
  const workSteps = new WorkSteps();

  /**
   * Messages for the listeners after this one, each with a payload of its own. It had one before if its first message
   * is done.
   */
  async function nextPage(messages: readonly DeliveryMessage[], after: string): Promise<DeliveryMessage[]> {
    const pages = messages.map(async (message) => {
      const page = { ...message, ...chainOfNextPage(message), after };
      const payload = await copiedPayload(bucket, message.payload, messagePayloadKey(page));
      return payload ? [{ ...page, payload }] : [];
    });
    return (await Promise.all(pages)).flat();
  }

  return async (messages: readonly DeliveryMessage[], batch: DeliveryBatch): Promise<MatchedEvents> => {
    const [first] = messages;
    if (!first) return { messages, sourceIds: [], targetIds: [], accepts: () => false, hasNextPage: false };
    const { listeners: subscribed, filters, next, failure } = await matching.match(first);
    if (next !== undefined) {
      await sendDeliveries(await nextPage(messages, next));
    }
    const passes = await acceptance({ bucket, matcherOf, workSteps }, messages, filters);
    const accepts = isNoticesId(first.emitterId)
      ? await withoutSubjects({ matching, bucket }, { messages, listeners: subscribed, accepts: passes })
      : passes;
    const isSubscribed = (message: DeliveryMessage, id: ListenerId) => subscribed.includes(id) && accepts(message, id);
    await settleAll(
      messages
        .filter((message) => batch.isRepeated(message))
        .map((message) => stored.resumeUnsubscribed(message, (id) => isSubscribed(message, id))),
    );
    const ids = subscribed.filter((id) => messages.some((message) => accepts(message, id)));
    return {
      messages,
      sourceIds: ids.filter(isSourceId),
      targetIds: ids.filter((id) => !isSourceId(id)),
      accepts,
      hasNextPage: next !== undefined,
      failure,
    };
  };
}

/** The messages whose deliveries could not all be made or stored, with an error of each. */
export type Failures = ReadonlyMap<DeliveryMessage, unknown>;

/** Does the work of some messages. An error fails them and no others. */
export type WorkOf = <T>(own: readonly DeliveryMessage[], work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Lets the later events of emitters go on to ordered webhooks. If an event has a further page of listeners, the end of
 * that page does so.
 */
export const createUnmark =
  ({ fanOuts }: Pick<FanOutServices, 'fanOuts'>) =>
  async (
    matched: readonly MatchedEvents[],
    { failures, workOf }: { failures: Failures; workOf: WorkOf },
  ): Promise<void> => {
    const whole = matched.filter(({ hasNextPage, failure }) => !hasNextPage && failure === undefined);
    await Promise.all(
      whole.map(async ({ messages }) => {
        const marked = messages.filter((message) => message.isMarked === true && !failures.has(message));
        const [first] = marked;
        if (!first) return;
        const ids = new Set(marked.map(({ eventId }) => eventId));
        await workOf(marked, () => fanOuts.unmark(first.emitterId, [...ids]));
      }),
    );
  };

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
