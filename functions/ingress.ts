import { createBucket } from '../shared/aws/bucket.ts';
import {
  dynamoClient,
  kmsClient,
  lambdaClient,
  s3Client,
  schedulerClient,
  sqsClient,
} from '../shared/aws/clients.ts';
import { createDeliverySender, createTriggerCoalescer } from '../shared/aws/queues.ts';
import { createRunner } from '../shared/aws/runner.ts';
import { createSchedules } from '../shared/aws/schedules.ts';
import { createVault } from '../shared/aws/vault.ts';
import { createAccountReader } from '../shared/service/accounts/account-reader.ts';
import { createDelayedEmits } from '../shared/service/runs/delayed-emits.ts';
import { createJobRunner } from '../shared/service/runs/run-jobs.ts';
import { createQuotas } from '../shared/service/admission/quotas.ts';
import { executeSynchronously } from '../shared/service/runs/synchronous-run.ts';
import { KeyedMutex } from '../shared/domain/keyed-mutex.ts';
import type { SourceId } from '../shared/domain/id.ts';
import { Limits } from '../shared/domain/limits.ts';
import { environment } from '../shared/lambda/environment.ts';
import { createLog } from '../shared/lambda/log.ts';
import { accountStore } from '../shared/store/accounts.ts';
import { eventStore } from '../shared/store/events.ts';
import { idempotencyStore } from '../shared/store/idempotency.ts';
import { sourceStore } from '../shared/store/sources.ts';
import { emitterStore } from '../shared/store/emitters.ts';
import { usageStore } from '../shared/store/usage.ts';
import { userLookup } from '../shared/store/users.ts';
import { workflowStore } from '../shared/store/workflows.ts';
import { createEndpointResolver } from '../shared/service/sources/endpoint-resolver.ts';
import { createEndpoint } from '../shared/http/ingress/endpoint.ts';
import { createIngressHandler } from '../shared/http/ingress/ingress-handler.ts';
import { createWorkflowIngest } from '../shared/http/ingress/workflow-ingest.ts';

const env = environment(
  'TABLE_NAME',
  'BUCKET_NAME',
  'RUNS_QUEUE_URL',
  'RUNS_QUEUE_ARN',
  'DELIVERIES_QUEUE_URL',
  'RUNNER_FUNCTION',
  'ACCOUNT_KEY_ARN',
  'SCHEDULE_GROUP',
  'SCHEDULER_ROLE_ARN',
  'INGRESS_URL',
  'LIMITS',
  'LOG_LEVEL',
);

const limits = Limits.parse(JSON.parse(env.LIMITS));
const now = () => Date.now();
const table = { dynamo: dynamoClient(), tableName: env.TABLE_NAME };
const sqs = sqsClient();
const bucket = createBucket(s3Client(), env.BUCKET_NAME);
const emitters = emitterStore(table);
const events = eventStore(table, bucket);
const usages = usageStore(table);
const schedules = createSchedules({
  scheduler: schedulerClient(),
  groupName: env.SCHEDULE_GROUP,
  roleArn: env.SCHEDULER_ROLE_ARN,
});
const sendTrigger = createTriggerCoalescer({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads: bucket });

const sync = {
  emitters,
  events,
  objects: bucket,
  usages,
  delayedEmits: createDelayedEmits({ events, schedules, bucket, runsQueueArn: env.RUNS_QUEUE_ARN, now }),
  sendDeliveries: createDeliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads: bucket }),
  runJobs: createJobRunner(
    {
      runner: createRunner(lambdaClient(), env.RUNNER_FUNCTION),
      bucket,
      ingressUrl: env.INGRESS_URL,
      accounts: createAccountReader({
        accounts: accountStore(table),
        vault: createVault(kmsClient(), env.ACCOUNT_KEY_ARN),
        now,
      }),
      limits,
    },
    now,
  ),
  mutex: new KeyedMutex<SourceId>(),
  limits,
  now,
};

export const handler = createIngressHandler({
  endpoint: createEndpoint({
    resolveEndpoint: createEndpointResolver({ sources: sourceStore(table), emitters, now }),
    quotas: createQuotas({ users: userLookup(table), usages, limits, now }),
    sendTrigger,
    runSynchronously: (trigger, event) => executeSynchronously(sync, trigger, event),
    now,
  }),
  workflow: createWorkflowIngest({
    workflows: workflowStore(table),
    idempotency: idempotencyStore(table),
    sendTrigger,
    now,
  }),
  log: createLog(env.LOG_LEVEL, 'ingress'),
});
