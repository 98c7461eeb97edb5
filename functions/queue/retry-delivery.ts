import { textBucketOf } from '../../shared/aws/bucket.ts';
import { dynamoClient, s3Client, schedulerClient, sqsClient } from '../../shared/aws/clients.ts';
import { agentOf, attempterOf } from '../../shared/aws/deliver-http.ts';
import { retrySender } from '../../shared/aws/queues.ts';
import { schedulesOf } from '../../shared/aws/schedules.ts';
import { RetryMessage } from '../../shared/domain/message.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';
import { deliveriesOf } from '../../shared/store/deliveries.ts';
import { matchingOf } from '../../shared/store/matching.ts';
import { retry } from '../../shared/service/delivery/retry.ts';

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
const agent = agentOf({ allowPrivate: env.ALLOW_PRIVATE_NETWORK, allowList: env.NETWORK_ALLOW_LIST });

export const handler = eachMessage({
  parse: (body) => RetryMessage.parse(JSON.parse(body)),
  handle: retry({
    matching: matchingOf(table),
    deliveries: deliveriesOf(table),
    bucket: textBucketOf(s3Client(), env.BUCKET_NAME),
    schedules: schedulesOf({
      scheduler: schedulerClient(),
      groupName: env.SCHEDULE_GROUP,
      roleArn: env.SCHEDULER_ROLE_ARN,
    }),
    retriesQueueArn: env.RETRIES_QUEUE_ARN,
    sendRetry: retrySender({ sqs: sqsClient(), queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: attempterOf(agent, now),
    now,
  }),
  log: createLog(env.LOG_LEVEL, 'retry-delivery'),
});
