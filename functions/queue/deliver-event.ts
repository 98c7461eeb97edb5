import { createTextBucket } from '../../shared/aws/bucket.ts';
import { dynamoClient, s3Client, sqsClient } from '../../shared/aws/clients.ts';
import { createAgent, createAttempter } from '../../shared/aws/deliver-http.ts';
import { createDeliverySender, createRetrySender, createTriggerSender } from '../../shared/aws/queues.ts';
import { createQuotas } from '../../shared/service/admission/quotas.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { deliveryStore } from '../../shared/store/deliveries.ts';
import { overloadStore } from '../../shared/store/overloaded-sources.ts';
import { listenerStore } from '../../shared/store/matching.ts';
import { usageStore } from '../../shared/store/usage.ts';
import { userLookup } from '../../shared/store/users.ts';
import { createDeliverBatch } from '../../shared/lambda/deliver-batch.ts';
import { createFanOut } from '../../shared/service/delivery/fan-out.ts';

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
const payloads = createTextBucket(s3Client(), env.BUCKET_NAME);
const agent = createAgent({ allowPrivate: env.ALLOW_PRIVATE_NETWORK, allowList: env.NETWORK_ALLOW_LIST });

export const handler = createDeliverBatch({
  deliver: createFanOut({
    matching: listenerStore(table),
    deliveries: deliveryStore(table),
    bucket: payloads,
    quotas: createQuotas({
      users: userLookup(table),
      usages: usageStore(table),
      limits: Limits.parse(JSON.parse(env.LIMITS)),
      now,
    }),
    overloadedUntil: overloadStore(table),
    sendTriggers: createTriggerSender({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads }),
    sendDeliveries: createDeliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads }),
    sendRetry: createRetrySender({ sqs, queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: createAttempter(agent, now),
    now,
  }),
  log: createLog(env.LOG_LEVEL, 'deliver-event'),
  now,
});
