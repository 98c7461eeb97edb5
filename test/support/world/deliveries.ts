import { randomBytes } from 'node:crypto';
import { createAgent, createAttempter } from '../../../shared/aws/deliver-http.ts';
import { releasePayload } from '../../../shared/aws/payloads.ts';
import type { DeliverToTarget } from '../../../shared/aws/targets/deliver-to-target.ts';
import type { Vault } from '../../../shared/aws/vault.ts';
import { EventId } from '../../../shared/domain/event/event-id.ts';
import {
  type ListenerId,
  newId,
  type SourceId,
  SubscriptionId,
  WebhookId,
  WorkflowId,
} from '../../../shared/domain/id.ts';
import type { DeliveryMessage, RetryMessage, Trigger } from '../../../shared/domain/run/message.ts';
import type { UnreadableItem } from '../../../shared/domain/unreadable.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { createAdmission } from '../../../shared/service/admission/admission.ts';
import { createDropEvents } from '../../../shared/service/admission/drop-events.ts';
import { createAttemptCounts } from '../../../shared/service/delivery/attempt-counts.ts';
import { createFanOut } from '../../../shared/service/fan-out/fan-out.ts';
import { createMetricCounts } from '../../../shared/service/metrics/metric-counts.ts';
import { createRetryHandler } from '../../../shared/service/retries/retry-handler.ts';
import type { RetryServices } from '../../../shared/service/retries/retry.ts';
import { createFirstRetrySender, createNextSender } from '../../../shared/service/delivery/send-next.ts';
import { createSuccessWriter } from '../../../shared/service/fan-out/success-writer.ts';
import { activityStore } from '../../../shared/store/users/activity-counts.ts';
import { deliveryBytesStore } from '../../../shared/store/deliveries/delivery-bytes.ts';
import type { LoggedSuccess } from '../../../shared/store/deliveries/delivery-log-item.ts';
import { droppedEventStore } from '../../../shared/store/events/dropped-events.ts';
import { listenerStore } from '../../../shared/store/subscriptions/matching.ts';
import { metricStore } from '../../../shared/store/users/metrics.ts';
import { subscriptionStore } from '../../../shared/store/subscriptions/subscriptions.ts';
import type { TableOptions } from '../../../shared/store/table/table-client.ts';
import { webhookStore } from '../../../shared/store/subscriptions/webhooks.ts';
import { workflowStore } from '../../../shared/store/emitters/workflows.ts';
import { aWebhook } from '../a-webhook.ts';
import {
  attemptServicesOf,
  listenerSecretsOf,
  retryServicesOf,
} from '../../../shared/lambda/wiring/attempt-services.ts';
import { noTargets } from '../attempt-once.ts';
import type { World } from './world.ts';

const random = (bytes: number) => randomBytes(bytes);

/** These listeners have secrets of an earlier release, in plain text. */
const closedVault: Pick<Vault, 'decrypt'> = {
  decrypt: () => Promise.reject(new Error('no secret here is sealed')),
};

/** Numbers of events. */
let n = 0;

/** Both functions that deliver events, on the table of a world. The messages that they send are kept for the test. */
export function deliveryWorld(
  stage: World,
  {
    page = 200,
    allowPrivate = true,
    table = stage.table,
    maxUnderWay,
    vault = closedVault,
    deliverToTarget = noTargets,
  }: {
    page?: number;
    allowPrivate?: boolean;
    table?: TableOptions;
    maxUnderWay?: number;
    vault?: Pick<Vault, 'decrypt'>;
    deliverToTarget?: DeliverToTarget;
  } = {},
) {
  const now = () => stage.clock.now();
  const onUnreadable = (item: UnreadableItem) => void stage.unreadable.push(item);
  const agent = createAgent({ allowPrivate, allowList: [] });
  const counting = {
    now,
    later: () => undefined,
    onLost: (error: unknown) => {
      throw error;
    },
  };
  const attemptCounts = createAttemptCounts({
    activity: activityStore(table),
    deliveryBytes: deliveryBytesStore(table),
    metrics: createMetricCounts({ metrics: metricStore(table), ...counting }),
    ...counting,
  });
  const { bucket } = stage;
  const triggers: Trigger[] = [];
  const again: DeliveryMessage[] = [];
  const retries: { message: RetryMessage; delaySeconds: number }[] = [];
  const schedules = new Map<string, { at: number; message: RetryMessage }>();
  const warnings: string[] = [];
  /** When the queue hands over a message, epoch ms. */
  const handedOverAt = new WeakMap<RetryMessage, number>();
  const sendRetry = async (message: RetryMessage, delaySeconds: number) => {
    handedOverAt.set(message, now() + delaySeconds * 1_000);
    retries.push({ message, delaySeconds });
  };
  const later = attemptServicesOf({
    table,
    bucket,
    counts: attemptCounts,
    notify: stage.services.notify,
    sendRetry,
    warn: (text) => void warnings.push(text),
    onUnreadable,
    now,
  });
  const { successLog, webhooks, deliveries } = later;
  let recordedFailures = 0;
  const attempts = {
    ...later,
    ...listenerSecretsOf(vault, now),
    matching: listenerStore(table, page),
    writeLine: () => undefined,
    attempt: createAttempter(agent, now, deliverToTarget),
    recordHealth: async (...[id, result]: Parameters<typeof later.recordHealth>) => {
      const webhook = await later.recordHealth(id, result);
      if (result.outcome !== 'delivered') recordedFailures += 1;
      return webhook;
    },
  };
  const writer = createSuccessWriter({ store: successLog.store, now });
  /** The limit of all users. */
  const storage = { isFull: false };
  const fanOut = createFanOut({
    ...attempts,
    maxUnderWay,
    admission: createAdmission({
      storage: {
        isFull: () => Promise.resolve(storage.isFull),
        isFullFor: () => Promise.resolve(storage.isFull),
      },
      quotas: stage.services.quotas,
      queueDepth: () => Promise.resolve(0),
      now,
    }),
    sendNext: createFirstRetrySender({ sendRetry, now }),
    dropEvents: createDropEvents({
      dropped: droppedEventStore(stage.table),
      sendTriggers: async (sent) => void triggers.push(...sent),
      now,
    }),
    sendTriggers: async (sent) => void triggers.push(...sent),
    sendDeliveries: async (sent) => void again.push(...sent),
  });
  const retryServices = {
    ...attempts,
    ...retryServicesOf(table, later),
    schedules: { delete: async (name: string) => void schedules.delete(name) },
    sendNext: createNextSender({
      schedules: {
        create: async ({ name, when, input }: { name: string; when: object; input: string }) => {
          if ('at' in when && when.at instanceof Date && !schedules.has(name))
            schedules.set(name, { at: when.at.getTime(), message: JSON.parse(input) as RetryMessage });
        },
      },
      retriesQueueArn: 'arn:retries',
      sendRetry,
      now,
    }),
  };
  /** Handles a message after its delay, as the queue hands it over. */
  const retryHandler = (changed: Partial<RetryServices> = {}) => {
    const handle = createRetryHandler({ ...retryServices, ...changed });
    return (message: RetryMessage) => {
      const waitMs = (handedOverAt.get(message) ?? 0) - now();
      if (waitMs > 0) stage.clock.advance(waitMs);
      return handle(message);
    };
  };
  /** Delivers a batch. Resolves with the errors of the messages that come back. */
  const failuresOf = async (messages: readonly DeliveryMessage[], startedAt = now(), isRepeated = false) => {
    const successes = writer.open();
    const log = (success: LoggedSuccess) => successes.add(success);
    const failures = await fanOut(messages, { id: 'batch', startedAt, isRepeated: () => isRepeated, log });
    await successes.end();
    for (const { payload } of messages.filter((message) => !failures.has(message)))
      await releasePayload(bucket, payload);
    return failures;
  };
  return {
    agent,
    matching: attempts.matching,
    fanOut,
    failuresOf,
    /** Rejects with the error of a message that comes back. */
    deliver: async (...batch: Parameters<typeof failuresOf>) => {
      for (const error of (await failuresOf(...batch)).values()) throw error;
    },
    retry: retryHandler(),
    retryHandler,
    /** Handles a message at once: the clock of its receiver is ahead. */
    retryAhead: createRetryHandler(retryServices),
    retryServices,
    attemptCounts,
    deliveries,
    list: retryServices.allDeliveries,
    triggers,
    storage,
    again,
    retries,
    schedules,
    warnings,
    /** The number of failed attempts that are written in the health of their webhooks. */
    recordedFailures: () => recordedFailures,
    webhooks,

    async webhook(more: Partial<Webhook>): Promise<Webhook> {
      const made = aWebhook({
        id: WebhookId.parse(newId('webhook', now(), random)),
        ownerId: stage.ownerId,
        secret: `whsec_${randomBytes(32).toString('base64')}`,
        createdAt: now(),
        updatedAt: now(),
        ...more,
      });
      await webhookStore(stage.table).create(made, 1_000);
      return made;
    },

    /** A workflow that receives its events at a URL. */
    async workflow(target: string): Promise<{ id: WorkflowId; secret: string }> {
      const id = WorkflowId.parse(newId('workflow', now(), random));
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const made = {
        id,
        ownerId: stage.ownerId,
        name: 'w',
        target,
        credentialHash: '',
        secret,
        createdAt: 0,
      };
      await workflowStore(stage.table).create(made);
      return { id, secret };
    },

    subscribe: (emitter: SourceId | 'dc_*' | 'p_*', listenerId: ListenerId, eventName = '') =>
      subscriptionStore(stage.table).create(
        {
          id: SubscriptionId.parse(newId('subscription', now(), random)),
          ownerId: stage.ownerId,
          emitter,
          listenerId,
          eventName,
          createdAt: 0,
        },
        10_000,
      ),

    message: (
      source: Pick<Source, 'id'>,
      body: unknown = { n: (n += 1) },
      more: Partial<DeliveryMessage> = {},
    ): DeliveryMessage => ({
      emitterId: source.id,
      ownerId: stage.ownerId,
      stream: 'default',
      eventId: EventId.parse(`${now()}-${(n += 1)}`),
      emitId: randomBytes(16).toString('base64url'),
      payload: { json: JSON.stringify(body) },
      hops: 0,
      ...more,
    }),

    /** The webhook's deliveries, newest first. */
    listed: async ({ id: webhookId }: Pick<Webhook, 'id'>) =>
      (await retryServices.allDeliveries.page({ webhookId, request: { limit: 100 }, filter: {} })).items,
  };
}

export type DeliveryWorld = ReturnType<typeof deliveryWorld>;
