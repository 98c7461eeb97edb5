import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Definition } from '../../../infra/embedded/scheduler/definition.ts';
import { createEventBodies } from '../../../shared/aws/event-bodies.ts';
import { eventId, type EventId } from '../../../shared/domain/event/event-id.ts';
import { DeliveryId, type ListenerId, newId, SourceId, WebhookId } from '../../../shared/domain/id.ts';
import type { DelayedJob, DrainMessage, RetryMessage, Trigger } from '../../../shared/domain/run/message.ts';
import type { UnreadableItem } from '../../../shared/domain/unreadable.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { createNextSender } from '../../../shared/service/delivery/send-next.ts';
import { withoutEffect } from '../../../shared/service/schedules/dry-run.ts';
import { reconcile } from '../../../shared/service/schedules/reconcile.ts';
import type { ReconcilePosition } from '../../../shared/service/schedules/reconcile-position.ts';
import {
  noCounts,
  type ReconcileCounts,
  type ReconcileServices,
} from '../../../shared/service/schedules/reconcile-context.ts';
import { scheduleKeeping } from '../../../shared/service/webhooks/keep-log.ts';
import { deliveryStore } from '../../../shared/store/deliveries/deliveries.ts';
import type { StoredDelivery } from '../../../shared/store/deliveries/delivery-item.ts';
import { waitingAndHeldDeliveries } from '../../../shared/store/deliveries/delivery-lists.ts';
import { recoveryStore } from '../../../shared/store/deliveries/recoveries.ts';
import { delayedEmitStore } from '../../../shared/store/events/delayed-emit-items.ts';
import { webhookStore } from '../../../shared/store/subscriptions/webhooks.ts';
import { workflowStore } from '../../../shared/store/emitters/workflows.ts';
import { aWorld, FIFO } from '../../unit/contract/scheduler/paths.ts';
import { aWebhook } from '../a-webhook.ts';
import { queueArn, schedulesOn } from './scheduler.ts';
import { openWorld } from './world.ts';
import { queuedRunServicesOf, runServicesOf } from '../../../shared/lambda/wiring/run-services.ts';

export const MINUTE = 60_000;

/** A table and a scheduler with one clock, and the code that makes schedules. */
export async function reconcileWorld() {
  const stage = await openWorld();
  const world = await aWorld({ start: stage.clock.now() });
  onTestFinished(() => stage.close());
  await stage.user();
  const { schedules, reader } = schedulesOn(() => world.service);
  const { table, ownerId, clock } = stage;
  const onUnreadable = (item: UnreadableItem) => void stage.unreadable.push(item);
  const now = () => clock.now();
  const queues = { runsQueueArn: FIFO, retriesQueueArn: queueArn('retries'), jobsQueueArn: queueArn('jobs') };
  const sent = {
    drains: [] as DrainMessage[],
    triggers: [] as Trigger[],
    retries: [] as RetryMessage[],
    jobs: [] as DelayedJob[],
  };
  const sendRetry = async (message: RetryMessage) => void sent.retries.push(message);
  const sendJobs = async (messages: readonly DelayedJob[]) => void sent.jobs.push(...messages);
  const webhooks = webhookStore(table);
  const deliveries = deliveryStore(table, now);
  const waiting = delayedEmitStore(table, createEventBodies(stage.bucket));
  const services: ReconcileServices = {
    users: stage.users,
    sources: stage.sources,
    backlogs: stage.services.backlogs,
    sendDrain: async (message) => void sent.drains.push(message),
    webhooks,
    workflows: workflowStore(table),
    deliveries,
    waitingAndHeld: waitingAndHeldDeliveries(table),
    recoveries: recoveryStore(table),
    waiting,
    reader,
    schedules,
    queues,
    sendTriggers: async (triggers) => void sent.triggers.push(...triggers),
    sendRetry,
    sendJobs,
    onUnreadable,
    now,
  };
  const { retriesQueueArn, runsQueueArn } = queues;
  const sendNext = createNextSender({ schedules, sendRetry, now, retriesQueueArn });
  const parts = { table, schedules, runsQueueArn, now };
  const { delayedEmits } = runServicesOf({ ...parts, bucket: stage.bucket, eventsPerItem: 1 });
  const { timers } = queuedRunServicesOf({
    ...parts,
    sendJobs,
    jobsQueueArn: queues.jobsQueueArn,
    random: (bytes) => randomBytes(bytes),
  });
  let made = 0;
  return {
    stage,
    schedules,
    services,
    sent,
    waiting,
    deliveries,
    webhooks,
    recoveries: recoveryStore(table),
    workflows: workflowStore(table),
    timers,
    /** The calls that schedules made. */
    made: world.made,
    advance: (ms: number) => world.advance(ms),

    /** An active source with a timer, and its schedule. */
    async polling(timer: NonNullable<Source['traits']['timer']>): Promise<Source> {
      const anchor = now();
      const source = await stage.source({ timer, timerProp: 'timer' }, { timerAnchor: anchor });
      const { id: sourceId, generation } = source;
      await timers.start({ sourceId, ownerId, generation, anchor, timer });
      return source;
    },

    async webhook(more: Partial<Webhook> = {}): Promise<Webhook> {
      const webhook = aWebhook({ id: WebhookId.parse(`wh_${(made += 1)}`), ownerId, ...more });
      await scheduleKeeping({ schedules, retriesQueueArn, now }, webhook.id);
      await webhooks.create(webhook, 100);
      return webhook;
    },

    async delayedEmit({ id: emitterId }: Source, deliveryTs: number): Promise<EventId> {
      made += 1;
      const json = JSON.stringify({ made });
      const id = eventId({ ms: now(), sequence: made });
      const planned = { stream: 'later', json, deliveryTs };
      const stored = { stream: 'later', id, emitId: `emit-${made}`, json, indexedAt: now() };
      const chain = { hops: 3, left: 40, passed: [emitterId] };
      const event = { triggerId: 't', planned, encoded: { json }, stored, chain };
      await delayedEmits.schedule({ emitterId, ownerId }, [event]);
      return id;
    },

    /** A delivery that failed once, with the schedule or message of its next attempt. */
    async retrying({ id: listenerId }: { id: ListenerId }, nextAt: number): Promise<StoredDelivery> {
      made += 1;
      const delivery: StoredDelivery = {
        id: DeliveryId.parse(newId('delivery', now(), () => new Uint8Array(15).fill(made))),
        listenerId,
        ownerId,
        emitterId: SourceId.parse('dc_1'),
        stream: 'default',
        eventId: eventId({ ms: now(), sequence: made }),
        emitId: `emit-${made}`,
        status: 'retrying',
        attemptCount: 4,
        scheduleStep: 4,
        messageNumber: 4,
        nextAt,
      };
      await deliveries.create(delivery, {});
      await sendNext(delivery, delivery);
      return delivery;
    },

    /** The definitions of all schedules by their names. */
    async stored(): Promise<Map<string, Definition>> {
      const names = (await world.names()).sort();
      return new Map(
        names.flatMap((name) => {
          const definition = world.stored(name);
          return definition ? [[name, definition] as const] : [];
        }),
      );
    },

    async deleteAll(): Promise<void> {
      for (const name of await world.names()) await schedules.delete(name);
    },

    /** Time passes, and no schedule fires. */
    pass(ms: number): void {
      clock.advance(ms);
      world.clock.advance(ms);
    },

    async reconcile(
      other: Partial<ReconcileServices> = {},
      { from, isDry = false }: { from?: ReconcilePosition; isDry?: boolean } = {},
    ): Promise<ReconcileCounts> {
      const counts = noCounts();
      const all = { ...services, ...other };
      const context = { services: isDry ? withoutEffect(all) : all, counts, isDry };
      for await (const _ of reconcile(context, from));
      return counts;
    },
  };
}
export type ReconcileWorld = Awaited<ReturnType<typeof reconcileWorld>>;
