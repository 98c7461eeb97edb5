import { messagePayloadKey } from '../../aws/object-keys.ts';
import { copiedPayload } from '../../aws/payloads.ts';
import { chainOfNextPage } from '../../domain/run/chain.ts';
import { createMatchers } from '../../domain/event/event-pattern/event-filter.ts';
import { isSourceId, type ListenerId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { isNoticesId } from '../../domain/notice/notices-emitter.ts';
import { WorkSteps } from '../../lib/reading/work-steps.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { acceptance } from './accepted-events.ts';
import { type Accepts, withoutSubjects } from '../notices/notice-audience.ts';
import type { DeliveryBatch, StoredFirst } from './stored-first.ts';
import type { FanOutServices } from './fan-out-services.ts';

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
