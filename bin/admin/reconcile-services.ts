import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Bucket } from '../../shared/aws/bucket.ts';
import { schedulerClient } from '../../shared/aws/clients.ts';
import { createEventBodies } from '../../shared/aws/event-bodies.ts';
import { createJobSender } from '../../shared/aws/queues.ts';
import { createScheduleReader } from '../../shared/aws/scheduling/schedule-reader.ts';
import { createSchedules } from '../../shared/aws/schedules.ts';
import type { ReconcileServices } from '../../shared/service/schedules/reconcile-context.ts';
import { recoveryStore } from '../../shared/store/deliveries/recoveries.ts';
import type { TableOptions } from '../../shared/store/table/table-client.ts';
import { delayedEmitStore } from '../../shared/store/events/delayed-emit-items.ts';
import type { Names } from './names.ts';
import { queueArn } from './queue-arn.ts';

type Own = 'onUnreadable' | 'queues' | 'reader' | 'recoveries' | 'schedules' | 'sendJobs' | 'waiting';

interface Clients {
  table: TableOptions & Pick<ReconcileServices, 'onUnreadable'>;
  names: Names;
  bucket: Bucket;
  sqs: () => SQSClient;
}

/** The services that compare the schedules of a stack with its table: those of the operator, and their own. */
export function reconcileServices(
  shared: Omit<ReconcileServices, Own>,
  { table, names, bucket, sqs }: Clients,
): ReconcileServices {
  const client = schedulerClient();
  const { schedulesRoleArn: roleArn, scheduleGroup: groupName, queues } = names;
  const scheduling = { scheduler: () => client, groupName };
  const deadLettersArn = queueArn(names.schedulesDeadLettersUrl, roleArn);
  return {
    ...shared,
    onUnreadable: table.onUnreadable,
    recoveries: recoveryStore(table),
    waiting: delayedEmitStore(table, createEventBodies(bucket)),
    reader: createScheduleReader(scheduling),
    schedules: createSchedules({ ...scheduling, roleArn, deadLettersArn }),
    queues: {
      runsQueueArn: queueArn(names.runsQueueUrl, roleArn),
      retriesQueueArn: queueArn(queues.retries.url, roleArn),
      jobsQueueArn: queueArn(queues.timers.url, roleArn),
    },
    sendJobs: createJobSender({ sqs, queueUrl: queues.timers.url }),
  };
}
