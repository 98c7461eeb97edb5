import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bucket, createBucket } from '../aws/bucket.ts';
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
import type { Attempter } from '../aws/http-attempt.ts';
import { createReceipts } from '../aws/queue-receipts.ts';
import {
  createDeliverySender,
  createNoticeSender,
  createRetrySender,
  createTickSender,
  createTimerSender,
  createTriggerCoalescer,
  createTriggerSender,
} from '../aws/queues.ts';
import { createProviderFetch } from '../aws/oauth/provider-fetch.ts';
import { createProviderRequests } from '../aws/oauth/provider-requests.ts';
import { createSignIns } from '../aws/oauth/sign-ins.ts';
import { createRenewer } from '../aws/oauth/renewer.ts';
import { createRunner } from '../aws/runner.ts';
import { createSetAside } from '../aws/set-aside.ts';
import { createSchedules } from '../aws/schedules.ts';
import { createVault } from '../aws/vault.ts';
import type { AccountId, SourceId } from '../domain/id.ts';
import { KeyedMutex } from '../lib/keyed-mutex.ts';
import type { Limits } from '../domain/limits.ts';
import { COMMENT_MS } from '../domain/live/stream-limits.ts';
import type { RenewalOutcome } from '../domain/oauth/renewal.ts';
import type { Notify } from '../domain/notice/notice.ts';
import { messageText } from '../domain/run/message-text.ts';
import type { TimerMessage } from '../domain/run/message.ts';
import { tenantOf } from '../service/accounts/tenant.ts';
import { createAccountReader } from '../service/accounts/account-reader.ts';
import { createBacklogs } from '../service/admission/backlogs.ts';
import { limitConcurrentRuns } from '../service/runs/concurrent-runs.ts';
import { createAdmission } from '../service/admission/admission.ts';
import { createLookUpRates } from '../service/admission/look-up-rates.ts';
import { createRequestRates } from '../service/admission/request-rates.ts';
import { SynchronousShare } from '../service/admission/synchronous-share.ts';
import { countedDeliveries } from '../service/delivery/counted-deliveries.ts';
import { createAttemptCounts } from '../service/delivery/attempt-counts.ts';
import { createDeliveriesOfEvent } from '../service/webhooks/deliveries-of-event.ts';
import { createEventOfDelivery } from '../service/webhooks/event-of-delivery.ts';
import { createHealthRecorder } from '../service/delivery/health-recorder.ts';
import { createHeldLimit } from '../service/delivery/held-limit.ts';
import { createHeaderReader } from '../service/delivery/own-headers.ts';
import { createSealedReader } from '../service/delivery/sealed-reader.ts';
import { createFirstRetrySender, createNextSender } from '../service/delivery/send-next.ts';
import { createSecretReader } from '../service/delivery/signing-secrets.ts';
import type { ShowEvent } from '../service/live/live-batch.ts';
import { SharedChecks } from '../service/live/shared-checks.ts';
import { Ticker } from '../service/live/ticker.ts';
import { Watchers } from '../service/live/watchers.ts';
import { createNotifier } from '../service/notices/notifier.ts';
import { createMetricCounts } from '../service/metrics/metric-counts.ts';
import { createMetricsJob } from '../service/metrics/metrics-job.ts';
import { createQuotas } from '../service/admission/quotas.ts';
import { createStorage, type Storage } from '../service/admission/storage.ts';
import { createOpenClient } from '../service/oauth/open-client.ts';
import { createOpenProvider } from '../service/oauth/open-provider.ts';
import type { OfFlight } from '../service/oauth/sign-in-context.ts';
import { createConfigurator } from '../service/components/configurator.ts';
import { createDelayedEmits } from '../service/runs/delayed-emits.ts';
import { createJobRunner } from '../service/runs/run-jobs.ts';
import { createEndpointResolver } from '../service/sources/endpoint-resolver.ts';
import { createSourceTimers } from '../service/timers/source-timers.ts';
import { accountStore } from '../store/accounts.ts';
import { accountUseStore } from '../store/account-uses.ts';
import { activityStore } from '../store/activity-counts.ts';
import { autoSubscriptionStore } from '../store/auto-subscriptions.ts';
import { componentAppStore } from '../store/component-apps.ts';
import { componentStore } from '../store/components.ts';
import { delayedEmitStore } from '../store/waiting-emits.ts';
import { connectAttemptStore } from '../store/connect-attempts.ts';
import { oauthClientStore } from '../store/oauth-clients.ts';
import { oauthLoginStore } from '../store/oauth-logins.ts';
import { waitingConnectAttempts } from '../store/waiting-connect-attempts.ts';
import { deliveryStore } from '../store/deliveries.ts';
import { deliveryList } from '../store/delivery-list.ts';
import { deliveryLog } from '../store/delivery-log.ts';
import { deliveryLists } from '../store/delivery-lists.ts';
import { drainLeases } from '../store/drain-leases.ts';
import { emitterStore } from '../store/emitters.ts';
import { eventStore } from '../store/events.ts';
import { expiringItems } from '../store/expiring-items.ts';
import { idempotencyStore } from '../store/idempotency.ts';
import { itemWatch } from '../store/item-watch.ts';
import { keptTriggerStore } from '../store/kept-triggers.ts';
import { eventLookup } from '../store/event-lookup.ts';
import { lastEventStore } from '../store/last-events.ts';
import { listenerStore } from '../store/matching.ts';
import { metricStore } from '../store/metrics.ts';
import { metricSubjects } from '../store/metric-subjects.ts';
import { newestEvents } from '../store/newest-events.ts';
import { newestEventStore } from '../store/newest-event.ts';
import { ownershipStore } from '../store/ownership.ts';
import { runPermitStore, streamPermitStore } from '../store/run-permits.ts';
import { queueProgress } from '../store/queue-progress.ts';
import { runRecordStore } from '../store/run-records.ts';
import { recoveryStore } from '../store/recoveries.ts';
import { sendSlots } from '../store/rate-slots.ts';
import { lookUpCountStore, requestCountStore } from '../store/request-counts.ts';
import { sourceStore } from '../store/sources.ts';
import { storedBytes } from '../store/stored-bytes.ts';
import { storedEventStore } from '../store/stored-events.ts';
import { subscriptionStore } from '../store/subscriptions.ts';
import { epochPrefix, type TableOptions } from '../store/table-client.ts';
import { testSlots } from '../store/test-slots.ts';
import { usageStore } from '../store/usage.ts';
import { userLookup } from '../store/users.ts';
import { webhookStore } from '../store/webhooks.ts';
import { workflowStore } from '../store/workflows.ts';
import { atFirstUse, loadedAtFirstUse } from './at-first-use.ts';
import { environment, networkRule } from './environment.ts';
import { createLog, describeError, type Log, writeLogLine } from './log.ts';
import {
  createServiceMetrics,
  type ServiceMetrics,
  withAttemptMetrics,
  withQuotaMetrics,
  withRunMetrics,
} from './service-metrics.ts';

/*
 * The only wiring: one function per kind of Lambda function builds the services it uses from its environment variables. Nothing here
 * has an effect at module load, so that esbuild drops what a bundle does not call.
 */

/* One client for each process. Making one takes 1 to 4 ms of a cold start, and few requests use all of them. */
const s3 = /* @__PURE__ */ atFirstUse(s3Client);
const lambda = /* @__PURE__ */ atFirstUse(lambdaClient);
const scheduler = /* @__PURE__ */ atFirstUse(schedulerClient);
const kms = /* @__PURE__ */ atFirstUse(kmsClient);
const sqs = /* @__PURE__ */ atFirstUse(sqsClient);

const now = (): number => Date.now();
const random = (bytes: number): Buffer => randomBytes(bytes);
const limits = (): Limits => environment('LIMITS').LIMITS;
const bucket = (): Bucket => createBucket(s3, environment('BUCKET_NAME').BUCKET_NAME);

function runner() {
  const env = environment('RUNNER_FUNCTION', 'RUNNER_ISOLATION');
  return createRunner(lambda, {
    functionName: env.RUNNER_FUNCTION,
    tenantOf: tenantOf(env.RUNNER_ISOLATION),
  });
}

const log = (functionName: string) => createLog(environment('LOG_LEVEL').LOG_LEVEL, functionName);

let openedTable: TableOptions | undefined;
/** One table client per process. */
const table = (): TableOptions => (openedTable ??= openTable());

function openTable(): TableOptions {
  const { TABLE_NAME: tableName, LEASE_EPOCH: epoch } = environment('TABLE_NAME', 'LEASE_EPOCH');
  return { dynamo: dynamoClient(), tableName, epoch };
}

/** Sets aside what cannot be read of the queue that the function consumes. */
const setAside = () => createSetAside({ sqs, queueUrl: environment('DEAD_LETTERS_URL').DEAD_LETTERS_URL });

function schedules() {
  const env = environment('SCHEDULE_GROUP', 'SCHEDULER_ROLE_ARN', 'SCHEDULES_DEAD_LETTERS_ARN');
  return createSchedules({
    scheduler,
    groupName: env.SCHEDULE_GROUP,
    roleArn: env.SCHEDULER_ROLE_ARN,
    deadLettersArn: env.SCHEDULES_DEAD_LETTERS_ARN,
  });
}

const attempter = () => createAttempter(createAgent(networkRule()), now);

/** Loads the HTTP client at the first attempt: it is a fifth of a bundle, and few requests to the API need it. */
function attempterLater(): Attempter {
  const rule = networkRule();
  const attempter = loadedAtFirstUse(async () => {
    const { createAgent, createAttempter } = await import('../aws/deliver-http.ts');
    return createAttempter(createAgent(rule), now);
  });
  return (attempt) =>
    void attempter().then(
      (begin) => {
        begin(attempt);
      },
      (error: unknown) => {
        attempt.fail(error);
      },
    );
}

/** Loads the client of S3, a fifth of a bundle, with the first object: most starts need none. */
function bucketLater(): Bucket {
  const { BUCKET_NAME } = environment('BUCKET_NAME');
  const opened = loadedAtFirstUse(async () => {
    const { openBucket } = await import('../aws/open-bucket.ts');
    return openBucket(BUCKET_NAME);
  });
  return {
    putText: async (key, text) => (await opened()).putText(key, text),
    getText: async (key) => (await opened()).getText(key),
    getBytes: async (key) => (await opened()).getBytes(key),
    copy: async (from, to) => (await opened()).copy(from, to),
    delete: async (key) => (await opened()).delete(key),
    presignGet: async (key, seconds) => (await opened()).presignGet(key, seconds),
    presignPut: async (key, seconds) => (await opened()).presignPut(key, seconds),
  };
}

/* One for each process: it caches data keys. */
const vault = /* @__PURE__ */ atFirstUse(() =>
  createVault(kms, environment('ACCOUNT_KEY_ARN').ACCOUNT_KEY_ARN, now),
);

const accountReader = () =>
  createAccountReader({
    accounts: accountStore(table()),
    vault: vault(),
    renewer: createRenewer(lambda, environment('OAUTH_FUNCTION').OAUTH_FUNCTION),
    // The wait for a renewal that another call ends must not keep a process running.
    pause: (ms) => pause(ms, undefined, { ref: false }),
    now,
  });

/** Sends notices; the log tells of those that are lost. */
const notifier = ({ warn }: Log): Notify =>
  createNotifier({
    sendNotice: createNoticeSender({ sqs, queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL }),
    onLost: ({ name, ownerId, subject }, error) => {
      warn('notice.lost', { notice: name, owner: ownerId, subject: subject.id, error: describeError(error) });
    },
    now,
  });

const quotas = (notify: Notify) =>
  createQuotas({ users: userLookup(table()), usages: usageStore(table()), limits: limits(), notify, now });

let openedStorage: Storage | undefined;
/** One count of each user per process. */
const storage = (): Storage =>
  (openedStorage ??= createStorage({
    storedBytes: storedBytes(table()),
    limit: limits().storedBytes,
    now,
  }));

const admission = (notify: Notify, owned = quotas(notify)) =>
  createAdmission({ quotas: owned, storage: storage(), progress: queueProgress(table()), now });

/** Counts that a function keeps in memory and writes in intervals. */
const counting = (functionLog: Pick<Log, 'warn'>) => ({
  now,
  later: (work: () => void, ms: number) => setTimeout(work, ms).unref(),
  onLost: (error: unknown) => {
    functionLog.warn('activity.lost', { error: describeError(error) });
  },
});

const metricCounts = (functionLog: Pick<Log, 'warn'>) =>
  createMetricCounts({ metrics: metricStore(table()), ...counting(functionLog) });

const attemptCounts = (functionLog: Log) =>
  createAttemptCounts({
    activity: activityStore(table()),
    metrics: metricCounts(functionLog),
    ...counting(functionLog),
  });

const serviceMetrics = (functionName: string, functionLog: Pick<Log, 'warn'>): ServiceMetrics =>
  createServiceMetrics({
    namespace: environment('METRIC_NAMESPACE').METRIC_NAMESPACE,
    write: writeLogLine,
    functionName,
    ...counting(functionLog),
  });

/** Services of every API group. */
export const apiServices = (group: string) => ({ users: userLookup(table()), log: log(group) });

/** The console serves files; its pages use the public API. */
export const consoleServices = () => ({ log: log('console') });

const deliveriesOf = () =>
  createDeliveriesOfEvent({
    webhooks: webhookStore(table()),
    deliveries: deliveryStore(table(), now),
    successLog: deliveryLog(table()),
  });

const componentBuilding = (objects: Bucket) => ({
  components: componentStore(table()),
  accounts: accountStore(table()),
  bucket: objects,
  builder: createBuilder(lambda, environment('BUILDER_FUNCTION').BUILDER_FUNCTION),
  runner: runner(),
  configurator: createConfigurator({ runner: runner(), bucket: objects, accounts: accountReader(), now }),
  limits: limits(),
  storage: storage(),
  random,
  now,
});

export const componentServices = () => componentBuilding(bucketLater());

const lookUps = (service: Parameters<typeof log>[0]) =>
  createLookUpRates({
    counts: lookUpCountStore(table()),
    onLost: (error) => {
      log(service).warn('requests.uncounted', { error: describeError(error) });
    },
    now,
  });

export function sourceServices() {
  const objects = bucketLater();
  const events = storedEventStore(table(), createEventBodyReader(objects));
  return {
    ...componentBuilding(objects),
    sources: sourceStore(table()),
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    events,
    eventLookup: eventLookup(table(), { events }),
    lookUps: lookUps('sources'),
    deliveriesOf: deliveriesOf(),
    newestEvent: newestEventStore(table()),
    lastEvents: lastEventStore(table()),
    runRecords: runRecordStore(table()),
    sendTriggers: createTriggerSender({
      sqs,
      queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL,
      payloads: objects,
    }),
    admission: admission(notifier(log('sources'))),
    ingressUrl: environment('INGRESS_URL').INGRESS_URL,
    ...liveAddress(),
  };
}

/** The address of live streams, and the clock of their tokens. */
const liveAddress = () => ({ liveUrl: environment('LIVE_URL').LIVE_URL, now });

export const workflowServices = () => ({
  ...liveAddress(),
  workflows: workflowStore(table()),
  events: storedEventStore(table(), createEventBodyReader(bucketLater())),
  deliveriesOf: deliveriesOf(),
  ingressUrl: environment('INGRESS_URL').INGRESS_URL,
});

/** Live streams. The host of the function may tell of new events, by a property of `process`. */
export function liveServices(show: ShowEvent) {
  const watch = itemWatch(process, table().tableName);
  const reading = {
    readNewest: newestEvents(table()),
    events: storedEventStore(table(), createEventBodyReader(bucketLater())),
    watch,
    show,
    pause: (ms: number) => pause(ms),
    now,
  };
  return {
    ...reading,
    watchers: new Watchers(reading),
    checks: new SharedChecks(watch),
    comments: new Ticker(COMMENT_MS),
    permits: streamPermitStore(table(), random),
    limit: limits().liveStreams,
    users: userLookup(table()),
    sources: sourceStore(table()),
    workflows: workflowStore(table()),
    log: log('live'),
  };
}

export const subscriptionServices = () => ({
  subscriptions: subscriptionStore(table()),
  autoSubscriptions: autoSubscriptionStore(table()),
  ownership: ownershipStore(table()),
  limits: limits(),
  random,
  now,
});

export function webhookServices() {
  const { info } = log('webhooks');
  const payloads = bucketLater();
  const deliveries = deliveryStore(table(), now);
  const successLog = deliveryLog(table());
  const env = environment('RETRIES_QUEUE_URL', 'RETRIES_QUEUE_ARN', 'PAUSED');
  return {
    ...listenerSecrets(),
    schedules: schedules(),
    retriesQueueArn: env.RETRIES_QUEUE_ARN,
    webhooks: webhookStore(table()),
    deliveries,
    bucket: payloads,
    deliveryList: deliveryList({ deliveries, log: successLog }),
    successLog,
    lookUps: lookUps('webhooks'),
    lists: deliveryLists(table()),
    recoveries: recoveryStore(table()),
    testSlots: testSlots(table()),
    eventOf: createEventOfDelivery({
      deliveries,
      events: storedEventStore(table(), createEventBodyReader(payloads)),
      bucket: payloads,
    }),
    vault: vault(),
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    sendRetry: createRetrySender({ sqs, queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: attempterLater(),
    isPaused: env.PAUSED,
    writeLine: info,
    limits: limits(),
    random,
    now,
  };
}

const signIns = () => createSignIns(lambda, environment('OAUTH_FUNCTION').OAUTH_FUNCTION);

export const accountServices = () => ({
  accounts: accountStore(table()),
  users: userLookup(table()),
  clients: oauthClientStore(table()),
  attempts: connectAttemptStore(table()),
  waiting: waitingConnectAttempts(table()),
  signIns: signIns(),
  publicApiUrl: environment('PUBLIC_API_URL').PUBLIC_API_URL,
  log: log('accounts'),
  uses: accountUseStore(table()),
  componentApps: componentAppStore(table()),
  vault: vault(),
  random,
  now,
});

export const userServices = () => ({
  users: userLookup(table()),
  activity: activityStore(table()),
  metrics: metricStore(table()),
  sources: sourceStore(table()),
  webhooks: webhookStore(table()),
  usages: usageStore(table()),
  limits: limits(),
  now,
});

/** Services of queued and of synchronous runs. */
function runServices(functionName: string, logger: Log, objects: Bucket) {
  const metrics = serviceMetrics(functionName, logger);
  const env = environment('RUNS_QUEUE_ARN', 'DELIVERIES_QUEUE_URL', 'INGRESS_URL', 'EVENTS_PER_ITEM');
  const bodies = createEventBodies(objects);
  const events = eventStore(table(), bodies, { eventsPerItem: env.EVENTS_PER_ITEM });
  const put = schedules();
  const notify = notifier(logger);
  return {
    notify,
    users: userLookup(table()),
    emitters: emitterStore(table()),
    events,
    runRecords: runRecordStore(table()),
    usages: usageStore(table()),
    metrics: withRunMetrics(metricCounts(logger), metrics),
    sources: sourceStore(table()),
    workflows: workflowStore(table()),
    bucket: objects,
    schedules: put,
    delayedEmits: createDelayedEmits({
      waiting: delayedEmitStore(table(), bodies),
      schedules: put,
      bucket: objects,
      runsQueueArn: env.RUNS_QUEUE_ARN,
      now,
    }),
    quotas: withQuotaMetrics(quotas(notify), metrics),
    storage: storage(),
    sendDeliveries: createDeliverySender({
      sqs,
      queueUrl: env.DELIVERIES_QUEUE_URL,
      payloads: objects,
    }),
    runJobs: limitConcurrentRuns(
      createJobRunner(
        {
          runner: runner(),
          bucket: objects,
          ingressUrl: env.INGRESS_URL,
          accounts: accountReader(),
          limits: limits(),
        },
        now,
      ),
      { permits: runPermitStore(table(), random), limit: limits().concurrentRuns, now },
    ),
    runTimeoutMs: limits().runTimeoutMs,
    writeLine: logger.info,
    now,
  };
}

export function runSourceServices() {
  const env = environment(
    'RUNS_QUEUE_URL',
    'RUNS_QUEUE_ARN',
    'TIMERS_QUEUE_URL',
    'TIMERS_QUEUE_ARN',
    'RUNNERS_PER_BATCH',
  );
  const logger = log('run-source');
  // Every run needs an object, the bundle of its component.
  const services = runServices('run-source', logger, bucket());
  return {
    ...services,
    keptTriggers: keptTriggerStore(table()),
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    timers: createSourceTimers({
      schedules: services.schedules,
      sendTimers: createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
      runsQueueArn: env.RUNS_QUEUE_ARN,
      timersQueueArn: env.TIMERS_QUEUE_ARN,
      now,
    }),
    setAside: setAside(),
    receipts: createReceipts(sqs, env.RUNS_QUEUE_URL),
    runnersPerBatch: env.RUNNERS_PER_BATCH,
    log: logger,
  };
}

export function ingressServices() {
  const logger = log('ingress');
  const { sources, workflows, ...services } = runServices('ingress', logger, bucketLater());
  const backlogs = createBacklogs(now);
  const rates = createRequestRates({
    counts: requestCountStore(table()),
    limits: limits(),
    onLost: (error) => {
      logger.warn('requests.uncounted', { error: describeError(error) });
    },
    now,
  });
  const runs = { sqs, queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL, payloads: services.bucket };
  return {
    ...services,
    workflows,
    rates,
    idempotency: idempotencyStore(table()),
    backlogs,
    resolveEndpoint: createEndpointResolver({ sources, emitters: services.emitters, backlogs, now }),
    admission: createAdmission({
      quotas: services.quotas,
      storage: services.storage,
      progress: services.emitters.progress,
      rates,
      now,
    }),
    sendTrigger: createTriggerCoalescer(runs),
    sendTriggers: createTriggerSender(runs),
    ingressUrl: environment('INGRESS_URL').INGRESS_URL,
    mutex: new KeyedMutex<SourceId>(),
    share: new SynchronousShare(),
    log: logger,
  };
}

/** Signing secrets and own headers of listeners. */
function listenerSecrets() {
  const open = createSealedReader({ vault: vault(), now });
  return { secretOf: createSecretReader(open), headersOf: createHeaderReader(open) };
}

/** Services of every function that makes attempts of deliveries. */
function attemptServices(functionName: string) {
  const logger = log(functionName);
  const metrics = serviceMetrics(functionName, logger);
  const counts = withAttemptMetrics(attemptCounts(logger), metrics, {
    first: functionName === 'deliver-event',
  });
  const deliveries = countedDeliveries(deliveryStore(table(), now), counts);
  const webhooks = webhookStore(table());
  const lists = deliveryLists(table());
  const successLog = deliveryLog(table());
  const queueUrl = environment('RETRIES_QUEUE_URL').RETRIES_QUEUE_URL;
  const sendRetry = createRetrySender({ sqs, queueUrl });
  const notify = notifier(logger);
  return {
    notify,
    ...listenerSecrets(),
    deliveries,
    webhooks,
    lists,
    matching: listenerStore(table()),
    successLog,
    slots: sendSlots(table()),
    recordHealth: createHealthRecorder({
      webhooks,
      successLog,
      sendRetry,
      warn: logger.warn,
      notify,
      now,
    }),
    limitHeld: createHeldLimit({ deliveries, lists, now }),
    sendRetry,
    attempt: attempter(),
    attemptCounts: counts,
    serviceMetrics: metrics,
    randomFraction: () => Math.random(),
    log: logger,
    writeLine: logger.info,
    now,
  };
}

export function deliverEventServices() {
  const env = environment('RUNS_QUEUE_URL', 'DELIVERIES_QUEUE_URL');
  const payloads = bucketLater();
  const services = attemptServices('deliver-event');
  return {
    ...services,
    setAside: setAside(),
    storeSuccesses: services.successLog.store,
    sendNext: createFirstRetrySender(services),
    bucket: payloads,
    admission: admission(services.notify, withQuotaMetrics(quotas(services.notify), services.serviceMetrics)),
    sendTriggers: createTriggerSender({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads }),
    sendDeliveries: createDeliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads }),
  };
}

export function retryDeliveryServices() {
  const services = attemptServices('retry-delivery');
  const scheduling = schedules();
  return {
    ...services,
    setAside: setAside(),
    schedules: scheduling,
    deliveryList: deliveryList({ deliveries: services.deliveries, log: services.successLog }),
    expiringItems: expiringItems(table()),
    recoveries: recoveryStore(table()),
    leases: drainLeases(table()),
    sendNext: createNextSender({
      ...services,
      schedules: scheduling,
      retriesQueueArn: environment('RETRIES_QUEUE_ARN').RETRIES_QUEUE_ARN,
    }),
    bucket: bucketLater(),
  };
}

export function oauthServices() {
  const options = table();
  const logger = log('oauth');
  const prefix = epochPrefix(options);
  const env = environment('TIMERS_QUEUE_URL', 'TIMERS_QUEUE_ARN', 'PUBLIC_API_URL');
  const accounts = accountStore(options);
  const logins = oauthLoginStore(options);
  const daily = schedules();
  const clients = oauthClientStore(options);
  const requests = createProviderRequests(createProviderFetch(createAgent(networkRule())), now);
  const openClient = createOpenClient({ clients, vault: vault(), now });
  const sendTimers = createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL });
  return {
    accounts,
    attempts: connectAttemptStore(options),
    waiting: waitingConnectAttempts(options),
    logins,
    vault: vault(),
    openClient,
    requests,
    clients,
    openProvider: createOpenProvider({ accounts, logins, openClient, requests }),
    notify: notifier(logger),
    renewDaily: () =>
      daily.create({
        name: 'renew-idle-accounts',
        when: { expression: 'rate(1 day)' },
        queueArn: env.TIMERS_QUEUE_ARN,
        input: messageText({ kind: 'idle-accounts' } satisfies TimerMessage),
      }),
    dropLater: ({ attemptId, stateHash }: OfFlight, ms: number) =>
      sendTimers([
        { message: { kind: 'flight', attemptId, stateHash }, delaySeconds: Math.ceil(ms / 1_000) },
      ]),
    publicApiUrl: env.PUBLIC_API_URL,
    random,
    epochPrefix: prefix,
    newHolder: () => prefix + random(12).toString('base64url'),
    writeLine: logger.info,
    onRenewal: (account: AccountId, outcome: RenewalOutcome) =>
      outcome === 'renewed'
        ? logger.info('account.renewed', { account })
        : logger.warn('account.renewal_failed', { account, status: outcome }),
    now,
  };
}

export function timerServices() {
  const env = environment('RUNS_QUEUE_URL', 'TIMERS_QUEUE_URL');
  const logger = log('timers');
  return {
    metricsJob: createMetricsJob({
      metrics: metricStore(table()),
      subjects: metricSubjects(table()),
      onFailed: (subject, error) => {
        logger.warn('metrics.failed', { subject, error: describeError(error) });
      },
      now,
    }),
    sendTicks: createTickSender({ sqs, queueUrl: env.RUNS_QUEUE_URL }),
    sendTimers: createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
    signIns: signIns(),
    setAside: setAside(),
    log: logger,
    now,
  };
}
