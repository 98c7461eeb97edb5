import { randomBytes } from 'node:crypto';
import { type Bucket, createBucket, createTextBucket, type TextBucket } from '../aws/bucket.ts';
import { createBuilder } from '../aws/builder.ts';
import {
  dynamoClient,
  kmsClient,
  lambdaClient,
  s3Client,
  schedulerClient,
  sqsClient,
} from '../aws/clients.ts';
import { createAgent, createAttempter } from '../aws/deliver-http.ts';
import { createEventBodies, createEventBodyReader } from '../aws/event-bodies.ts';
import { createReceipts } from '../aws/queue-receipts.ts';
import {
  createDeliverySender,
  createRetrySender,
  createTickSender,
  createTimerSender,
  createTriggerCoalescer,
  createTriggerSender,
} from '../aws/queues.ts';
import { createRunner } from '../aws/runner.ts';
import { createSchedules } from '../aws/schedules.ts';
import { createVault } from '../aws/vault.ts';
import { type Random, type SourceId } from '../domain/id.ts';
import { KeyedMutex } from '../domain/keyed-mutex.ts';
import type { Limits } from '../domain/limits.ts';
import { tenantOf } from '../service/accounts/tenant.ts';
import { createAccountReader } from '../service/accounts/account-reader.ts';
import { createAdmission } from '../service/admission/admission.ts';
import { SynchronousShare } from '../service/admission/synchronous-share.ts';
import { createSecretReader } from '../service/delivery/signing-secrets.ts';
import { createQuotas } from '../service/admission/quotas.ts';
import { createConfigurator } from '../service/components/configurator.ts';
import { createDelayedEmits } from '../service/runs/delayed-emits.ts';
import { createJobRunner } from '../service/runs/run-jobs.ts';
import { createEndpointResolver } from '../service/sources/endpoint-resolver.ts';
import { createSourceTimers } from '../service/timers/source-timers.ts';
import { accountStore } from '../store/accounts.ts';
import { autoSubscriptionStore } from '../store/auto-subscriptions.ts';
import { componentStore } from '../store/components.ts';
import { deliveryStore } from '../store/deliveries.ts';
import { emitterStore } from '../store/emitters.ts';
import { eventStore } from '../store/events.ts';
import { idempotencyStore } from '../store/idempotency.ts';
import { listenerStore } from '../store/matching.ts';
import { newestEventStore } from '../store/newest-event.ts';
import { overloadStore } from '../store/overloaded-sources.ts';
import { ownershipStore } from '../store/ownership.ts';
import { sourceStore } from '../store/sources.ts';
import { storedEventStore } from '../store/stored-events.ts';
import { subscriptionStore } from '../store/subscriptions.ts';
import type { TableOptions } from '../store/table-client.ts';
import { usageStore } from '../store/usage.ts';
import { userLookup } from '../store/users.ts';
import { webhookStore } from '../store/webhooks.ts';
import { workflowStore } from '../store/workflows.ts';
import { environment } from './environment.ts';
import { createLog } from './log.ts';

/*
 * The only wiring: one function per kind of Lambda function builds the services it uses from its environment variables. Nothing here
 * runs at module load, so that esbuild drops what a bundle does not call.
 */

const now = (): number => Date.now();
const random: Random = (bytes) => randomBytes(bytes);
const limits = (): Limits => environment('LIMITS').LIMITS;
const bucket = (): Bucket => createBucket(s3Client(), environment('BUCKET_NAME').BUCKET_NAME);
const textBucket = (): TextBucket => createTextBucket(s3Client(), environment('BUCKET_NAME').BUCKET_NAME);

function runner() {
  const env = environment('RUNNER_FUNCTION', 'RUNNER_ISOLATION');
  return createRunner(lambdaClient(), {
    functionName: env.RUNNER_FUNCTION,
    tenantOf: tenantOf(env.RUNNER_ISOLATION),
  });
}

const log = (functionName: string) => createLog(environment('LOG_LEVEL').LOG_LEVEL, functionName);

let openedTable: TableOptions | undefined;
/** One table client per process. */
const table = (): TableOptions =>
  (openedTable ??= { dynamo: dynamoClient(), tableName: environment('TABLE_NAME').TABLE_NAME });

function schedules() {
  const env = environment('SCHEDULE_GROUP', 'SCHEDULER_ROLE_ARN');
  return createSchedules({
    scheduler: schedulerClient(),
    groupName: env.SCHEDULE_GROUP,
    roleArn: env.SCHEDULER_ROLE_ARN,
  });
}

function attempter() {
  const env = environment('ALLOW_PRIVATE_NETWORK', 'NETWORK_ALLOW_LIST');
  const agent = createAgent({ allowPrivate: env.ALLOW_PRIVATE_NETWORK, allowList: env.NETWORK_ALLOW_LIST });
  return createAttempter(agent, now);
}

const vault = () => createVault(kmsClient(), environment('ACCOUNT_KEY_ARN').ACCOUNT_KEY_ARN);

const accountReader = () => createAccountReader({ accounts: accountStore(table()), vault: vault(), now });

const quotas = () =>
  createQuotas({ users: userLookup(table()), usages: usageStore(table()), limits: limits(), now });

const admission = () => createAdmission({ quotas: quotas(), overloadedUntil: overloadStore(table()), now });

/** Services of every API group. */
export const apiServices = (group: string) => ({ users: userLookup(table()), log: log(group) });

const componentBuilding = (objects: Bucket) => ({
  components: componentStore(table()),
  accounts: accountStore(table()),
  bucket: objects,
  builder: createBuilder(lambdaClient(), environment('BUILDER_FUNCTION').BUILDER_FUNCTION),
  runner: runner(),
  configurator: createConfigurator({ runner: runner(), bucket: objects, accounts: accountReader(), now }),
  limits: limits(),
  random,
  now,
});

export const componentServices = () => componentBuilding(bucket());

export function sourceServices() {
  const objects = bucket();
  return {
    ...componentBuilding(objects),
    sources: sourceStore(table()),
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    events: storedEventStore(table(), createEventBodyReader(objects)),
    newestEvent: newestEventStore(table()),
    sendTriggers: createTriggerSender({
      sqs: sqsClient(),
      queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL,
      payloads: objects,
    }),
    admission: admission(),
    ingressUrl: environment('INGRESS_URL').INGRESS_URL,
  };
}

export const workflowServices = () => ({
  workflows: workflowStore(table()),
  events: storedEventStore(table(), createEventBodyReader(textBucket())),
});

export const subscriptionServices = () => ({
  subscriptions: subscriptionStore(table()),
  autoSubscriptions: autoSubscriptionStore(table()),
  ownership: ownershipStore(table()),
  limits: limits(),
  random,
  now,
});

export const webhookServices = () => ({
  webhooks: webhookStore(table()),
  vault: vault(),
  subscriptions: subscriptionStore(table()),
  autoSubscriptions: autoSubscriptionStore(table()),
  limits: limits(),
  random,
  now,
});

export const userServices = () => ({
  users: userLookup(table()),
  usages: usageStore(table()),
  limits: limits(),
  now,
});

/** Services of queued and of synchronous runs. */
function runServices() {
  const env = environment('RUNS_QUEUE_ARN', 'DELIVERIES_QUEUE_URL', 'INGRESS_URL');
  const objects = bucket();
  const events = eventStore(table(), createEventBodies(objects));
  const put = schedules();
  return {
    emitters: emitterStore(table()),
    events,
    usages: usageStore(table()),
    sources: sourceStore(table()),
    workflows: workflowStore(table()),
    bucket: objects,
    schedules: put,
    delayedEmits: createDelayedEmits({
      events,
      schedules: put,
      bucket: objects,
      runsQueueArn: env.RUNS_QUEUE_ARN,
      now,
    }),
    quotas: quotas(),
    sendDeliveries: createDeliverySender({
      sqs: sqsClient(),
      queueUrl: env.DELIVERIES_QUEUE_URL,
      payloads: objects,
    }),
    runJobs: createJobRunner(
      {
        runner: runner(),
        bucket: objects,
        ingressUrl: env.INGRESS_URL,
        accounts: accountReader(),
        limits: limits(),
      },
      now,
    ),
    runTimeoutMs: limits().runTimeoutMs,
    now,
  };
}

export function runSourceServices() {
  const env = environment('RUNS_QUEUE_URL', 'RUNS_QUEUE_ARN', 'TIMERS_QUEUE_URL', 'TIMERS_QUEUE_ARN');
  const services = runServices();
  const sqs = sqsClient();
  return {
    ...services,
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    timers: createSourceTimers({
      schedules: services.schedules,
      sendTimers: createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
      runsQueueArn: env.RUNS_QUEUE_ARN,
      timersQueueArn: env.TIMERS_QUEUE_ARN,
      now,
    }),
    receipts: createReceipts(sqs, env.RUNS_QUEUE_URL),
    log: log('run-source'),
  };
}

export function ingressServices() {
  const { sources, workflows, ...services } = runServices();
  return {
    ...services,
    workflows,
    idempotency: idempotencyStore(table()),
    resolveEndpoint: createEndpointResolver({ sources, emitters: services.emitters, now }),
    admission: createAdmission({
      quotas: services.quotas,
      overloadedUntil: services.emitters.overloadedUntil,
      now,
    }),
    sendTrigger: createTriggerCoalescer({
      sqs: sqsClient(),
      queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL,
      payloads: services.bucket,
    }),
    mutex: new KeyedMutex<SourceId>(),
    share: new SynchronousShare(),
    log: log('ingress'),
  };
}

export function deliverEventServices() {
  const env = environment('RUNS_QUEUE_URL', 'DELIVERIES_QUEUE_URL', 'RETRIES_QUEUE_URL');
  const sqs = sqsClient();
  const payloads = textBucket();
  return {
    matching: listenerStore(table()),
    deliveries: deliveryStore(table()),
    bucket: payloads,
    admission: admission(),
    sendTriggers: createTriggerSender({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads }),
    sendDeliveries: createDeliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads }),
    sendRetry: createRetrySender({ sqs, queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: attempter(),
    secretOf: createSecretReader({ vault: vault(), now }),
    log: log('deliver-event'),
    now,
  };
}

export function retryDeliveryServices() {
  const env = environment('RETRIES_QUEUE_URL', 'RETRIES_QUEUE_ARN');
  return {
    matching: listenerStore(table()),
    deliveries: deliveryStore(table()),
    bucket: textBucket(),
    schedules: schedules(),
    retriesQueueArn: env.RETRIES_QUEUE_ARN,
    sendRetry: createRetrySender({ sqs: sqsClient(), queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: attempter(),
    secretOf: createSecretReader({ vault: vault(), now }),
    log: log('retry-delivery'),
    now,
  };
}

export function timerServices() {
  const env = environment('RUNS_QUEUE_URL', 'TIMERS_QUEUE_URL');
  const sqs = sqsClient();
  return {
    sendTicks: createTickSender({ sqs, queueUrl: env.RUNS_QUEUE_URL }),
    sendTimers: createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
    log: log('timers'),
    now,
  };
}
