import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Bucket } from '../../shared/aws/bucket.ts';
import { schedulerClient } from '../../shared/aws/clients.ts';
import { createEventBodies } from '../../shared/aws/event-bodies.ts';
import { createDrainSender, createRetrySender, createJobSender } from '../../shared/aws/queues.ts';
import { createScheduleReader } from '../../shared/aws/scheduling/schedule-reader.ts';
import { createSchedules } from '../../shared/aws/schedules.ts';
import type { ReconcileServices } from '../../shared/service/schedules/reconcile-context.ts';
import { backlogStore } from '../../shared/store/emitters/backlog.ts';
import { deliveryStore } from '../../shared/store/deliveries/deliveries.ts';
import { waitingAndHeldDeliveries } from '../../shared/store/deliveries/waiting-and-held.ts';
import { recoveryStore } from '../../shared/store/deliveries/recoveries.ts';
import { sourceStore } from '../../shared/store/emitters/sources.ts';
import type { TableOptions } from '../../shared/store/table/table-client.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { delayedEmitStore } from '../../shared/store/events/delayed-emit-items.ts';
import { webhookStore } from '../../shared/store/subscriptions/webhooks.ts';
import { workflowStore } from '../../shared/store/emitters/workflows.ts';
import { queueArn } from './queue-arn.ts';

/** The names of the stack that schedules and messages need. */
interface ScheduleNames {
  runsQueueUrl: string;
  queues: Readonly<Record<'retries' | 'timers', { url: string }>>;
  schedulesDeadLettersUrl: string;
  schedulesRoleArn: string;
  scheduleGroup: string;
}

interface Shared extends Pick<ReconcileServices, 'sendTriggers'> {
  table: TableOptions & Pick<ReconcileServices, 'onUnreadable'>;
  names: ScheduleNames;
  bucket: Bucket;
  sqs: () => SQSClient;
}

/** The services that compare the schedules of a stack with its table. */
export function reconcileServices({ table, names, bucket, sqs, sendTriggers }: Shared): ReconcileServices {
  const client = schedulerClient();
  const { schedulesRoleArn: roleArn, scheduleGroup: groupName, queues } = names;
  const scheduling = { scheduler: () => client, groupName };
  const now = () => Date.now();
  return {
    onUnreadable: table.onUnreadable,
    users: userStore(table),
    sources: sourceStore(table),
    backlogs: backlogStore(table),
    sendDrain: createDrainSender({ sqs, queueUrl: names.runsQueueUrl }),
    webhooks: webhookStore(table),
    workflows: workflowStore(table),
    deliveries: deliveryStore(table, now),
    waitingAndHeld: waitingAndHeldDeliveries(table),
    recoveries: recoveryStore(table),
    waiting: delayedEmitStore(table, createEventBodies(bucket)),
    reader: createScheduleReader(scheduling),
    schedules: createSchedules({
      ...scheduling,
      roleArn,
      deadLettersArn: queueArn(names.schedulesDeadLettersUrl, roleArn),
    }),
    queues: {
      runsQueueArn: queueArn(names.runsQueueUrl, roleArn),
      retriesQueueArn: queueArn(queues.retries.url, roleArn),
      jobsQueueArn: queueArn(queues.timers.url, roleArn),
    },
    sendTriggers,
    sendRetry: createRetrySender({ sqs, queueUrl: queues.retries.url }),
    sendJobs: createJobSender({ sqs, queueUrl: queues.timers.url }),
    now,
  };
}
