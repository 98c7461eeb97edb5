import { createTextBucket } from '../../shared/aws/bucket.ts';
import { dynamoClient, s3Client, schedulerClient, sqsClient } from '../../shared/aws/clients.ts';
import { createAgent, createAttempter } from '../../shared/aws/deliver-http.ts';
import { createRetrySender } from '../../shared/aws/queues.ts';
import { createSchedules } from '../../shared/aws/schedules.ts';
import { RetryMessage } from '../../shared/domain/message.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { deliveryStore } from '../../shared/store/deliveries.ts';
import { listenerStore } from '../../shared/store/matching.ts';
import { createRetry } from '../../shared/service/delivery/retry.ts';

const env = environment(
  'TABLE_NAME',
  'BUCKET_NAME',
  'RETRIES_QUEUE_URL',
  'RETRIES_QUEUE_ARN',
  'SCHEDULE_GROUP',
  'SCHEDULER_ROLE_ARN',
  'ALLOW_PRIVATE_NETWORK',
  'NETWORK_ALLOW_LIST',
  'LOG_LEVEL',
);

const now = () => Date.now();
const table = { dynamo: dynamoClient(), tableName: env.TABLE_NAME };
const agent = createAgent({ allowPrivate: env.ALLOW_PRIVATE_NETWORK, allowList: env.NETWORK_ALLOW_LIST });

export const handler = eachMessage({
  parse: (body) => RetryMessage.parse(JSON.parse(body)),
  handle: createRetry({
    matching: listenerStore(table),
    deliveries: deliveryStore(table),
    bucket: createTextBucket(s3Client(), env.BUCKET_NAME),
    schedules: createSchedules({
      scheduler: schedulerClient(),
      groupName: env.SCHEDULE_GROUP,
      roleArn: env.SCHEDULER_ROLE_ARN,
    }),
    retriesQueueArn: env.RETRIES_QUEUE_ARN,
    sendRetry: createRetrySender({ sqs: sqsClient(), queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: createAttempter(agent, now),
    now,
  }),
  log: createLog(env.LOG_LEVEL, 'retry-delivery'),
});
