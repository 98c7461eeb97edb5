import { payloadText } from '../../aws/payloads.ts';
import { secondsUntil } from '../../domain/queue-delay.ts';
import type { Admission } from '../admission/admission.ts';
import { isSourceId, isWebhookId, type ListenerId } from '../../domain/id.ts';
import { chainLimit, nextChain } from '../../domain/chain.ts';
import type { DeliveryMessage, RetryMessage, RunTrigger, Trigger } from '../../domain/message.ts';
import type { Source } from '../../domain/source.ts';
import { FIRST_ATTEMPTS_MS } from '../../domain/time-limits.ts';
import type { DeliveryStore } from '../../store/deliveries.ts';
import type { ListenerStore } from '../../store/matching.ts';
import { deliveryId, decideRetry, newDelivery } from './retry-decision.ts';
import {
  type AttemptOptions,
  FIRST_TIMEOUT_MS,
  type HttpTarget,
  sendAttempt,
  targetOf,
} from './http-target.ts';

export interface FanOutOptions extends AttemptOptions {
  matching: ListenerStore;
  deliveries: Pick<DeliveryStore, 'create' | 'suspect' | 'deactivate'>;
  bucket: { getText(key: string): Promise<string | undefined> };
  admission: Admission;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
}

/** Time after a failure in which a webhook gets no first attempt. */
const SUSPECT_MS = 30_000;

export type FanOut = (messages: readonly DeliveryMessage[], startedAt: number) => Promise<void>;

/**
 * Delivers events of one emitter and stream to their listeners: one match per batch, each listener once per event. When it resolves,
 * every delivery was made or is stored durably.
 */
export function createFanOut(services: FanOutOptions): FanOut {
  const { matching, deliveries, admission, now } = services;
  /** Failed webhooks of this instance: the items read with the batch may be older than the failure. */
  const suspects = new Map<ListenerId, number>();

  return async (messages, startedAt) => {
    const [first] = messages;
    if (!first) return;
    const { listeners: ids, next } = await matching.match(first);
    if (next !== undefined) {
      await services.sendDeliveries(messages.map((message) => ({ ...message, after: next })));
    }
    if (ids.length === 0) return;
    const listeners = [...(await matching.listeners(ids)).values()];
    const sources = listeners.flatMap((listener) => (listener.kind === 'source' ? [listener.source] : []));
    const targets = listeners.flatMap((listener) => targetOf(listener) ?? []);
    if (sources.length > 0) await services.sendTriggers(await triggersFor(messages, sources));
    if (targets.length === 0) return;
    await Promise.all(
      messages.map(async (message) => {
        const body = await payloadText(services.bucket, message.payload);
        if (body === undefined) return;
        await Promise.all(targets.map((target) => deliver(message, body, target, startedAt)));
      }),
    );
  };

  async function triggersFor(
    messages: readonly DeliveryMessage[],
    sources: readonly Source[],
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
      for (const message of messages) {
        // The `hop_limit` error event carries the chain that was cut, so it must not continue it.
        if (chainLimit(message, message.emitterId) === undefined)
          triggers.push(triggerOf(message, source, now()));
      }
    }
    return triggers;
  }

  async function deliver(message: DeliveryMessage, body: string, target: HttpTarget, startedAt: number) {
    const { listenerId } = target;
    const at = now();
    if (!target.isActive) {
      await deliveries.create(newDelivery({ message, target, status: 'held', attempts: [], now: at }));
      return;
    }
    const suspectUntil = Math.max(target.suspectUntil, suspects.get(listenerId) ?? 0);
    if (suspectUntil > at || at - startedAt > FIRST_ATTEMPTS_MS) {
      await leaveToRetries(message, target);
      return;
    }
    const sent = {
      emitterId: message.emitterId,
      stream: message.stream,
      eventId: message.eventId,
      emitId: message.emitId,
      body,
    };
    const outcome = await sendAttempt(services, { target, sent, timeoutMs: FIRST_TIMEOUT_MS });
    if (outcome.outcome === 'delivered') {
      if (suspects.size > 0) suspects.delete(listenerId);
      return;
    }
    const failedAt = now();
    await suspect(listenerId, failedAt);
    const decision = await decideRetry(deliveries, { outcome, attempt: 1, target, now: failedAt });
    const delivery = newDelivery({
      message,
      target,
      ...decision,
      attempts: [decision.attempt],
      now: failedAt,
    });
    await deliveries.create(delivery);
    if (decision.nextAt === undefined) return;
    const delaySeconds = secondsUntil(decision.nextAt, failedAt);
    await services.sendRetry({ deliveryId: delivery.id, listenerId, attempt: 2 }, delaySeconds);
  }

  async function leaveToRetries(message: DeliveryMessage, target: HttpTarget): Promise<void> {
    const { listenerId } = target;
    const at = now();
    await deliveries.create(
      newDelivery({ message, target, status: 'retrying', attempts: [], nextAt: at, now: at }),
    );
    await services.sendRetry({ deliveryId: deliveryId(message, listenerId), listenerId, attempt: 1 }, 0);
  }

  async function suspect(listenerId: ListenerId, at: number): Promise<void> {
    if ((suspects.get(listenerId) ?? 0) > at) return;
    if (suspects.size > 10_000) suspects.clear();
    suspects.set(listenerId, at + SUSPECT_MS);
    if (isWebhookId(listenerId)) await deliveries.suspect(listenerId, at + SUSPECT_MS, at);
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
