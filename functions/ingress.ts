import { bucketOf } from '../shared/aws/bucket.ts';
import {
  dynamoClient,
  kmsClient,
  lambdaClient,
  s3Client,
  schedulerClient,
  sqsClient,
} from '../shared/aws/clients.ts';
import { deliverySender, triggerCoalescer } from '../shared/aws/queues.ts';
import { runnerOf } from '../shared/aws/runner.ts';
import { schedulesOf } from '../shared/aws/schedules.ts';
import { vaultOf } from '../shared/aws/vault.ts';
import { accountsOf } from '../shared/service/accounts/account-reader.ts';
import { holdingOf } from '../shared/service/runs/delayed-emits.ts';
import { jobRunner } from '../shared/service/runs/run-jobs.ts';
import { quotasOf } from '../shared/service/admission/quotas.ts';
import { executeSync } from '../shared/service/runs/synchronous-run.ts';
import { Turns } from '../shared/domain/keyed-mutex.ts';
import type { SourceId } from '../shared/domain/id.ts';
import { Limits } from '../shared/domain/limits.ts';
import { environment } from '../shared/lambda/environment.ts';
import { createLog } from '../shared/lambda/log.ts';
import { accountStore } from '../shared/store/accounts.ts';
import { eventsOf } from '../shared/store/events.ts';
import { idempotencyOf } from '../shared/store/idempotency.ts';
import { sourceStore } from '../shared/store/sources.ts';
import { emittersOf } from '../shared/store/emitters.ts';
import { usagesOf } from '../shared/store/usage.ts';
import { usersOf } from '../shared/store/users.ts';
import { workflowStore } from '../shared/store/workflows.ts';
import { doorsOf } from '../shared/service/sources/endpoint-resolver.ts';
import { endpoint } from '../shared/http/ingress/endpoint.ts';
import { ingress } from '../shared/http/ingress/ingress-handler.ts';
import { workflowIngest } from '../shared/http/ingress/workflow-ingest.ts';

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
const bucket = bucketOf(s3Client(), env.BUCKET_NAME);
const emitters = emittersOf(table);
const events = eventsOf(table, bucket);
const usages = usagesOf(table);
const schedules = schedulesOf({
  scheduler: schedulerClient(),
  groupName: env.SCHEDULE_GROUP,
  roleArn: env.SCHEDULER_ROLE_ARN,
});
const sendTrigger = triggerCoalescer({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads: bucket });

const sync = {
  emitters,
  events,
  objects: bucket,
  usages,
  holding: holdingOf({ events, schedules, bucket, runsQueueArn: env.RUNS_QUEUE_ARN, now }),
  sendDeliveries: deliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads: bucket }),
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
  turns: new Turns<SourceId>(),
  limits,
  now,
};

export const handler = ingress({
  endpoint: endpoint({
    findDoor: doorsOf({ sources: sourceStore(table), emitters, now }),
    quotas: quotasOf({ users: usersOf(table), usages, limits, now }),
    sendTrigger,
    runAtOnce: (trigger, event) => executeSync(sync, trigger, event),
    now,
  }),
  workflow: workflowIngest({
    workflows: workflowStore(table),
    idempotency: idempotencyOf(table),
    sendTrigger,
    now,
  }),
  log: createLog(env.LOG_LEVEL, 'ingress'),
});
