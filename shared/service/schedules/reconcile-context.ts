import type { ScheduleReader } from '../../aws/scheduling/schedule-reader.ts';
import type { Schedules } from '../../aws/schedules.ts';
import type { UserId } from '../../domain/id.ts';
import type { DelayedJob, DrainMessage, RetryMessage, Trigger } from '../../domain/run/message.ts';
import type { OnUnreadable } from '../../domain/unreadable.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import type { WaitingAndHeldDeliveries } from '../../store/deliveries/delivery-lists.ts';
import type { RecoveryStore } from '../../store/deliveries/recoveries.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { DelayedEmitStore } from '../../store/events/delayed-emit-items.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import type { TimerQueues } from '../timers/schedule-of-timer.ts';

/** The services that compare schedules with the table. */
export interface ReconcileServices {
  users: { ids(): Promise<UserId[]> };
  sources: Pick<SourceStore, 'find' | 'ids'>;
  webhooks: Pick<WebhookStore, 'find' | 'ids'>;
  workflows: Pick<WorkflowStore, 'ids'>;
  deliveries: Pick<DeliveryStore, 'find' | 'read'>;
  waitingAndHeld: Pick<WaitingAndHeldDeliveries, 'oldest'>;
  recoveries: Pick<RecoveryStore, 'find'>;
  waiting: Pick<DelayedEmitStore, 'isWaiting' | 'pages'>;
  reader: ScheduleReader;
  schedules: Schedules;
  queues: TimerQueues & { retriesQueueArn: string };
  backlogs: Pick<BacklogStore, 'waiting'>;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  sendDrain(message: DrainMessage): Promise<void>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  sendJobs(messages: readonly DelayedJob[]): Promise<void>;
  /** Takes items and schedules that cannot be read, which stay as they are. */
  onUnreadable: OnUnreadable;
  now(): number;
}

export type ScheduleKind = 'timers' | 'delayed_emits' | 'retries' | 'keeping';

export interface ReconcileCounts {
  /** Schedules that were missing, or were those of another state of the table. */
  created: Record<ScheduleKind, number>;
  ended: Record<ScheduleKind, number>;
  /** Messages that were sent again, because the queue may have lost them. */
  messages: number;
  /** Sources that others changed meanwhile. */
  unsettled: number;
  /** Delayed emits of an earlier release without a schedule: the time to emit them is not stored. */
  lost: number;
}

const none = (): Record<ScheduleKind, number> => ({ timers: 0, delayed_emits: 0, retries: 0, keeping: 0 });

export const noCounts = (): ReconcileCounts => ({
  created: none(),
  ended: none(),
  messages: 0,
  unsettled: 0,
  lost: 0,
});

export interface ReconcileContext {
  services: ReconcileServices;
  counts: ReconcileCounts;
  /** Counts only: the services change nothing. */
  isDry: boolean;
}
