import { createBucket } from '../../shared/aws/bucket.ts';
import {
  dynamoClient,
  kmsClient,
  lambdaClient,
  s3Client,
  schedulerClient,
  sqsClient,
} from '../../shared/aws/clients.ts';
import { createReceipts } from '../../shared/aws/queue-receipts.ts';
import { createDeliverySender, createTimerSender } from '../../shared/aws/queues.ts';
import { createRunner } from '../../shared/aws/runner.ts';
import { createSchedules } from '../../shared/aws/schedules.ts';
import { createVault } from '../../shared/aws/vault.ts';
import { executeGroup } from '../../shared/service/runs/execute-group.ts';
import { createAccountReader } from '../../shared/service/accounts/account-reader.ts';
import { createDelayedEmits } from '../../shared/service/runs/delayed-emits.ts';
import { createJobRunner } from '../../shared/service/runs/run-jobs.ts';
import { createQuotas } from '../../shared/service/admission/quotas.ts';
import { createSourceTimers } from '../../shared/service/timers/source-timers.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { autoSubscriptionStore } from '../../shared/store/auto-subscriptions.ts';
import { accountStore } from '../../shared/store/accounts.ts';
import { eventStore } from '../../shared/store/events.ts';
import { sourceStore } from '../../shared/store/sources.ts';
import { emitterStore } from '../../shared/store/emitters.ts';
import { subscriptionStore } from '../../shared/store/subscriptions.ts';
import { usageStore } from '../../shared/store/usage.ts';
import { userLookup } from '../../shared/store/users.ts';
import { workflowStore } from '../../shared/store/workflows.ts';
import { createRunBatch } from '../../shared/lambda/run-batch.ts';

const env = environment(
  'TABLE_NAME',
  'BUCKET_NAME',
  'RUNS_QUEUE_URL',
  'RUNS_QUEUE_ARN',
  'DELIVERIES_QUEUE_URL',
  'TIMERS_QUEUE_URL',
  'TIMERS_QUEUE_ARN',
  'RUNNER_FUNCTION',
  'ACCOUNT_KEY_ARN',
  'SCHEDULE_GROUP',
  'SCHEDULER_ROLE_ARN',
  'INGRESS_URL',
  'LIMITS',
  'LOG_LEVEL',
);

const limits = Limits.parse(JSON.parse(env.LIMITS));
const log = createLog(env.LOG_LEVEL, 'run-source');
const now = () => Date.now();
const table = { dynamo: dynamoClient(), tableName: env.TABLE_NAME };
const sqs = sqsClient();
const bucket = createBucket(s3Client(), env.BUCKET_NAME);
const schedules = createSchedules({
  scheduler: schedulerClient(),
  groupName: env.SCHEDULE_GROUP,
  roleArn: env.SCHEDULER_ROLE_ARN,
});
const events = eventStore(table, bucket);
const usages = usageStore(table);

const services = {
  emitters: emitterStore(table),
  events,
  usages,
  sources: sourceStore(table),
  workflows: workflowStore(table),
  subscriptions: subscriptionStore(table),
  autoSubscriptions: autoSubscriptionStore(table),
  bucket,
  objects: bucket,
  delayedEmits: createDelayedEmits({ events, schedules, bucket, runsQueueArn: env.RUNS_QUEUE_ARN, now }),
  quotas: createQuotas({ users: userLookup(table), usages, limits, now }),
  timers: createSourceTimers({
    schedules,
    sendTimers: createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
    runsQueueArn: env.RUNS_QUEUE_ARN,
    timersQueueArn: env.TIMERS_QUEUE_ARN,
    now,
  }),
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
  sendDeliveries: createDeliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads: bucket }),
  limits,
  log: log.info,
  now,
};

export const handler = createRunBatch({
  execute: (group) => executeGroup(services, group),
  receipts: createReceipts(sqs, env.RUNS_QUEUE_URL),
  runTimeoutMs: limits.runTimeoutMs,
  now,
  log,
});
