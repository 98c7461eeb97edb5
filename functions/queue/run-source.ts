import { bucketOf } from '../../shared/aws/bucket.ts';
import {
  dynamoClient,
  kmsClient,
  lambdaClient,
  s3Client,
  schedulerClient,
  sqsClient,
} from '../../shared/aws/clients.ts';
import { receiptsOf } from '../../shared/aws/queue-receipts.ts';
import { deliverySender, timerSender } from '../../shared/aws/queues.ts';
import { runnerOf } from '../../shared/aws/runner.ts';
import { schedulesOf } from '../../shared/aws/schedules.ts';
import { vaultOf } from '../../shared/aws/vault.ts';
import { execute } from '../../shared/service/runs/execute-group.ts';
import { accountsOf } from '../../shared/service/accounts/account-reader.ts';
import { holdingOf } from '../../shared/service/runs/delayed-emits.ts';
import { jobRunner } from '../../shared/service/runs/run-jobs.ts';
import { quotasOf } from '../../shared/service/admission/quotas.ts';
import { timersOf } from '../../shared/service/timers/source-timers.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { autoSubscriptionStore } from '../../shared/store/auto-subscriptions.ts';
import { accountStore } from '../../shared/store/accounts.ts';
import { eventsOf } from '../../shared/store/events.ts';
import { sourceStore } from '../../shared/store/sources.ts';
import { emittersOf } from '../../shared/store/emitters.ts';
import { subscriptionStore } from '../../shared/store/subscriptions.ts';
import { usagesOf } from '../../shared/store/usage.ts';
import { usersOf } from '../../shared/store/users.ts';
import { workflowStore } from '../../shared/store/workflows.ts';
import { runBatch } from '../../shared/lambda/run-batch.ts';

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
const bucket = bucketOf(s3Client(), env.BUCKET_NAME);
const schedules = schedulesOf({
  scheduler: schedulerClient(),
  groupName: env.SCHEDULE_GROUP,
  roleArn: env.SCHEDULER_ROLE_ARN,
});
const events = eventsOf(table, bucket);
const usages = usagesOf(table);

const services = {
  emitters: emittersOf(table),
  events,
  usages,
  sources: sourceStore(table),
  workflows: workflowStore(table),
  subscriptions: subscriptionStore(table),
  autoSubscriptions: autoSubscriptionStore(table),
  bucket,
  objects: bucket,
  holding: holdingOf({ events, schedules, bucket, runsQueueArn: env.RUNS_QUEUE_ARN, now }),
  quotas: quotasOf({ users: usersOf(table), usages, limits, now }),
  timers: timersOf({
    schedules,
    sendTimers: timerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
    runsQueueArn: env.RUNS_QUEUE_ARN,
    timersQueueArn: env.TIMERS_QUEUE_ARN,
    now,
  }),
  runJobs: jobRunner(
    {
      runner: runnerOf(lambdaClient(), env.RUNNER_FUNCTION),
      bucket,
      ingressUrl: env.INGRESS_URL,
      accounts: accountsOf({
        accounts: accountStore(table),
        vault: vaultOf(kmsClient(), env.ACCOUNT_KEY_ARN),
        now,
      }),
      limits,
    },
    now,
  ),
  sendDeliveries: deliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads: bucket }),
  limits,
  log: log.info,
  now,
};

export const handler = runBatch({
  execute: (group) => execute(services, group),
  receipts: receiptsOf(sqs, env.RUNS_QUEUE_URL),
  runTimeoutMs: limits.runTimeoutMs,
  now,
  log,
});
