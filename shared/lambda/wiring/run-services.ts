import type { Bucket } from '../../aws/bucket.ts';
import { createEventBodies } from '../../aws/event-bodies.ts';
import { createHasOrdered } from '../../service/commit/send-events.ts';
import { createDelayedEmits, type DelayedEmitsOptions } from '../../service/commit/delayed-emits.ts';
import { createSourceTimers, type SourceTimersOptions } from '../../service/timers/source-timers.ts';
import { autoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import { subscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { backlogStore } from '../../store/emitters/backlog.ts';
import { emitterStore } from '../../store/emitters/emitters.ts';
import { slicePermitStore } from '../../store/emitters/run-permits.ts';
import { runRecordStore } from '../../store/emitters/run-records.ts';
import { sourceStore } from '../../store/emitters/sources.ts';
import { waitingTriggers } from '../../store/emitters/waiting-triggers.ts';
import { workflowStore } from '../../store/emitters/workflows.ts';
import { delayedEmitStore } from '../../store/events/delayed-emit-items.ts';
import { fanOutStore } from '../../store/events/fan-outs.ts';
import { eventStore } from '../../store/events/events.ts';
import { orderedWebhookStore } from '../../store/subscriptions/webhooks.ts';
import type { TableOptions } from '../../store/table/table-client.ts';
import { usageStore } from '../../store/users/usage.ts';
import { userLookup } from '../../store/users/users.ts';

interface RunParts {
  table: TableOptions;
  bucket: Bucket;
  schedules: DelayedEmitsOptions['schedules'] & SourceTimersOptions['schedules'];
  eventsPerItem: number;
  runsQueueArn: string;
  now(): number;
}

/** The services of queued and of synchronous runs that follow from these. */
export function runServicesOf({ table, eventsPerItem, ...parts }: RunParts) {
  const bodies = createEventBodies(parts.bucket);
  return {
    users: userLookup(table),
    emitters: emitterStore(table),
    events: eventStore(table, bodies, { eventsPerItem }),
    fanOuts: fanOutStore(table, parts.now),
    hasOrdered: createHasOrdered({ orderedWebhooks: orderedWebhookStore(table), now: parts.now }),
    runRecords: runRecordStore(table),
    usages: usageStore(table),
    sources: sourceStore(table),
    workflows: workflowStore(table),
    delayedEmits: createDelayedEmits({ ...parts, waiting: delayedEmitStore(table, bodies) }),
    ...parts,
  };
}

interface QueuedRunParts extends Pick<RunParts, 'table' | 'schedules' | 'runsQueueArn' | 'now'> {
  sendJobs: SourceTimersOptions['sendJobs'];
  jobsQueueArn: string;
  random(bytes: number): Uint8Array;
}

export const queuedRunServicesOf = ({ table, random, ...parts }: QueuedRunParts) => ({
  backlogs: backlogStore(table),
  waitingTriggers: waitingTriggers(table),
  slicePermits: slicePermitStore(table, random),
  subscriptions: subscriptionStore(table),
  autoSubscriptions: autoSubscriptionStore(table),
  timers: createSourceTimers(parts),
});
