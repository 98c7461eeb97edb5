import { payloadText } from '../../aws/payloads.ts';
import { createMatchers } from '../../domain/event-pattern/event-filter.ts';
import type { Admission } from '../admission/admission.ts';
import { isSourceId, type ListenerId } from '../../domain/id.ts';
import { chainLimit, nextChain } from '../../domain/chain.ts';
import type { DeliveryMessage, RunTrigger, Trigger } from '../../domain/message.ts';
import { createSemaphore } from '../../domain/semaphore.ts';
import { settleAll } from '../../domain/settle-all.ts';
import type { Source } from '../../domain/source.ts';
import type { ListenerStore } from '../../store/matching.ts';
import { type Accepts, acceptance } from './accepted-events.ts';
import { createDrainSpacing } from './drain-spacing.ts';
import { createFirstAttempts, type FirstAttemptsOptions } from './first-attempts.ts';
import { FIRST_TIMEOUT_MS, targetOf } from './http-target.ts';
import { createStoredFirst, type DeliveryBatch } from './stored-first.ts';

export interface FanOutOptions extends FirstAttemptsOptions {
  /** First attempts of this process at the same time. */
  maxUnderWay?: number | undefined;
  matching: ListenerStore;
  bucket: { getText(key: string): Promise<string | undefined> };
  admission: Admission;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void>;
}

/** Attempts that wait for sockets take memory, 10 KB each. Others wait until some of them have ended. */
export const MAX_UNDER_WAY = 5_000;
/** Longest wait for attempts to end. Then the retries get the deliveries: the webhooks of these attempts may hang. */
export const START_WAIT_MS = FIRST_TIMEOUT_MS;

export type FanOut = (messages: readonly DeliveryMessage[], batch: DeliveryBatch) => Promise<void>;

/**
 * Delivers events of one emitter and stream to their listeners: one match per batch, each listener once per event. When it resolves,
 * every delivery was made or is stored durably.
 */
export function createFanOut(options: FanOutOptions): FanOut {
  const services = { ...options, sendRetry: createDrainSpacing(options) };
  const { matching, admission, now } = services;
  const stored = createStoredFirst(services);
  const attemptAll = createFirstAttempts(services, stored);
  const matcherOf = createMatchers();
  const underWay = createSemaphore(options.maxUnderWay ?? MAX_UNDER_WAY);

  return async (messages, batch) => {
    const [first] = messages;
    if (!first) return;
    const { listeners: subscribed, filters, next } = await matching.match(first);
    if (next !== undefined) {
      await services.sendDeliveries(messages.map((message) => ({ ...message, after: next })));
    }
    const accepts = await acceptance({ bucket: services.bucket, matcherOf }, messages, filters);
    const isSubscribed = (message: DeliveryMessage, id: ListenerId) =>
      subscribed.includes(id) && accepts(message, id);
    await settleAll(
      messages
        .filter((message) => batch.isRepeated(message))
        .map((message) => stored.resumeUnsubscribed(message, (id) => isSubscribed(message, id))),
    );
    const ids = subscribed.filter((id) => messages.some((message) => accepts(message, id)));
    if (ids.length === 0) return;
    const sourceIds = ids.filter(isSourceId);
    const targetIds = ids.filter((id) => !isSourceId(id));
    await settleAll([
      ...(sourceIds.length > 0 ? [trigger(messages, sourceIds, accepts)] : []),
      ...(targetIds.length > 0 ? [attempt(messages, targetIds, { accepts, batch })] : []),
    ]);
  };

  async function trigger(
    messages: readonly DeliveryMessage[],
    ids: readonly ListenerId[],
    accepts: Accepts,
  ): Promise<void> {
    const listeners = [...(await matching.listeners(ids)).values()];
    const sources = listeners.flatMap((listener) => (listener.kind === 'source' ? [listener.source] : []));
    if (sources.length > 0) await services.sendTriggers(await triggersFor(messages, sources, accepts));
  }

  /** Targets are read after the wait: an attempt uses the URL, headers and secrets of its moment. */
  async function attempt(
    messages: readonly DeliveryMessage[],
    ids: readonly ListenerId[],
    { accepts, batch }: { accepts: Accepts; batch: DeliveryBatch },
  ): Promise<void> {
    const deliveries = ids.map((id) => messages.filter((message) => accepts(message, id)).length);
    const places = deliveries.reduce((sum, count) => sum + count, 0);
    const hasPlaces = await underWay.acquire(places, START_WAIT_MS);
    let held = hasPlaces ? places : 0;
    const release = (count: number): void => {
      const released = Math.min(count, held);
      held -= released;
      underWay.release(released);
    };
    try {
      const listeners = [...(await matching.listeners(ids)).values()];
      const targets = listeners.flatMap((listener) => targetOf(listener, now()) ?? []);
      const isForTarget = (message: DeliveryMessage) =>
        targets.some(({ listenerId }) => accepts(message, listenerId));
      const read = await readAll(messages.filter(isForTarget));
      await settleAll(
        targets.map(async (target) => {
          const accepted = read.filter(({ message }) => accepts(message, target.listenerId));
          if (accepted.length === 0) return;
          await attemptAll(accepted, target, { ...batch, hasPlaces }).finally(() => {
            release(accepted.length);
          });
        }),
      );
    } finally {
      release(held);
    }
  }

  /** Leaves out messages whose payload has expired. */
  async function readAll(messages: readonly DeliveryMessage[]) {
    const read = await Promise.all(
      messages.map(async (message) => ({
        message,
        body: await payloadText(services.bucket, message.payload),
      })),
    );
    return read.flatMap(({ message, body }) => (body === undefined ? [] : [{ message, body }]));
  }

  async function triggersFor(
    messages: readonly DeliveryMessage[],
    sources: readonly Source[],
    accepts: Accepts,
  ): Promise<Trigger[]> {
    const triggers: Trigger[] = [];
    const [first] = messages;
    const cause = first && isSourceId(first.emitterId) ? 'source' : 'workflow';
    for (const source of sources) {
      if (source.state === 'inactive' || source.state === 'failed' || source.state === 'deleting') continue;
      const refusal = await admission.admit({ sourceId: source.id, ownerId: source.ownerId }, cause);
      if (refusal) {
        if (refusal.skipNotice) triggers.push(refusal.skipNotice);
        continue;
      }
      for (const message of messages.filter((each) => accepts(each, source.id))) {
        // The `hop_limit` error event carries the chain that was cut, so it must not continue it.
        if (chainLimit(message, message.emitterId) === undefined)
          triggers.push(triggerOf(message, source, now()));
      }
    }
    return triggers;
  }
}

/** The id is derived from event and source, so that a repeated fan-out gives the same trigger. */
const triggerOf = (message: DeliveryMessage, source: Source, now: number): RunTrigger => ({
  kind: 'run',
  id: `event-${message.emitId}-${source.id}`,
  emitterId: source.id,
  ownerId: source.ownerId,
  at: now,
  cause: isSourceId(message.emitterId) ? 'source' : 'workflow',
  payload: message.payload,
  ...nextChain(message, message.emitterId),
});
