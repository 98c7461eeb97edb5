import { textBucketOf } from '../../shared/aws/bucket.ts';
import { dynamoClient, s3Client, sqsClient } from '../../shared/aws/clients.ts';
import { agentOf, attempterOf } from '../../shared/aws/deliver-http.ts';
import { deliverySender, retrySender, triggerSender } from '../../shared/aws/queues.ts';
import { quotasOf } from '../../shared/service/admission/quotas.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { deliveriesOf } from '../../shared/store/deliveries.ts';
import { laggingUntilOf } from '../../shared/store/overloaded-sources.ts';
import { matchingOf } from '../../shared/store/matching.ts';
import { usagesOf } from '../../shared/store/usage.ts';
import { usersOf } from '../../shared/store/users.ts';
import { deliverBatch } from '../../shared/lambda/deliver-batch.ts';
import { fanOut } from '../../shared/service/delivery/fan-out.ts';

const env = environment(
  'TABLE_NAME',
  'BUCKET_NAME',
  'RUNS_QUEUE_URL',
  'DELIVERIES_QUEUE_URL',
  'RETRIES_QUEUE_URL',
  'ALLOW_PRIVATE_NETWORK',
  'NETWORK_ALLOW_LIST',
  'LIMITS',
  'LOG_LEVEL',
);

const now = () => Date.now();
const table = { dynamo: dynamoClient(), tableName: env.TABLE_NAME };
const sqs = sqsClient();
const payloads = textBucketOf(s3Client(), env.BUCKET_NAME);
const agent = agentOf({ allowPrivate: env.ALLOW_PRIVATE_NETWORK, allowList: env.NETWORK_ALLOW_LIST });

export const handler = deliverBatch({
  deliver: fanOut({
    matching: matchingOf(table),
    deliveries: deliveriesOf(table),
    bucket: payloads,
    quotas: quotasOf({
      users: usersOf(table),
      usages: usagesOf(table),
      limits: Limits.parse(JSON.parse(env.LIMITS)),
      now,
    }),
    laggingUntil: laggingUntilOf(table),
    sendTriggers: triggerSender({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads }),
    sendDeliveries: deliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads }),
    sendRetry: retrySender({ sqs, queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: attempterOf(agent, now),
    now,
  }),
  log: createLog(env.LOG_LEVEL, 'deliver-event'),
  now,
});
