import type { Bucket } from '../../aws/bucket.ts';
import {
  createDeliverySender,
  createDrainSender,
  createJobSender,
  createTriggerCoalescer,
  createTriggerSender,
} from '../../aws/queues.ts';
import type { SourceId } from '../../domain/id.ts';
import { KeyedMutex } from '../../lib/keyed-mutex.ts';
import { createAdmission } from '../../service/admission/admission.ts';
import { createRequestRates } from '../../service/admission/request-rates.ts';
import { SynchronousShare } from '../../service/admission/synchronous-share.ts';
import { limitConcurrentRuns } from '../../service/runs/concurrent-runs.ts';
import { createJobRunner } from '../../service/runs/run-jobs.ts';
import { createEndpointResolver } from '../../service/sources/endpoint-resolver.ts';
import { backlogStore } from '../../store/emitters/backlog.ts';
import { idempotencyStore } from '../../store/table/idempotency.ts';
import { serviceMarkStore } from '../../store/table/service-marks.ts';
import { requestCountStore } from '../../store/users/request-counts.ts';
import { runPermitStore } from '../../store/emitters/run-permits.ts';
import { environment } from '../environment.ts';
import { type Log, describeError } from '../log.ts';
import { withBacklogMetrics, withQuotaMetrics, withRunMetrics } from '../service-metrics.ts';
import { notifier, parties, queueDepth, quotas, storage } from './admission-wiring.ts';
import { metricCounts, serviceMetrics } from './count-wiring.ts';
import { queuedRunServicesOf, runServicesOf } from './run-services.ts';
import {
  accountReader,
  bucket,
  bucketLater,
  consumedQueue,
  limits,
  log,
  now,
  random,
  runner,
  schedules,
  sqs,
  table,
} from './common-wiring.ts';

function runServices(functionName: string, logger: Log, objects: Bucket) {
  const metrics = serviceMetrics(functionName, logger);
  const env = environment('RUNS_QUEUE_ARN', 'DELIVERIES_QUEUE_URL', 'INGRESS_URL', 'EVENTS_PER_ITEM');
  const accounts = accountReader();
  const notify = notifier(logger);
  return {
    ...runServicesOf({
      table: table(),
      bucket: objects,
      schedules: schedules(),
      eventsPerItem: env.EVENTS_PER_ITEM,
      runsQueueArn: env.RUNS_QUEUE_ARN,
      now,
    }),
    notify,
    accounts,
    serviceMetrics: metrics,
    metrics: withRunMetrics(metricCounts(logger), metrics),
    quotas: withQuotaMetrics(quotas(notify), metrics),
    storage: storage(objects),
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
          accounts,
          limits: limits(),
        },
        now,
      ),
      {
        permits: runPermitStore(table(), random),
        limit: limits().concurrentRuns,
        isOnlySource: parties().isOnlySource,
        now,
      },
    ),
    runTimeoutMs: limits().runTimeoutMs,
    writeLine: logger.info,
  };
}

export function runSourceServices() {
  const env = environment(
    'RUNS_QUEUE_URL',
    'RUNS_QUEUE_ARN',
    'TIMERS_QUEUE_URL',
    'TIMERS_QUEUE_ARN',
    'RUNNERS_PER_BATCH',
    'MAX_SLICES',
  );
  const logger = log('run-source');
  // Every run needs an object, the bundle of its component.
  const { serviceMetrics: metrics, ...services } = runServices('run-source', logger, bucket());
  const queued = queuedRunServicesOf({
    table: table(),
    schedules: services.schedules,
    sendJobs: createJobSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL }),
    runsQueueArn: env.RUNS_QUEUE_ARN,
    jobsQueueArn: env.TIMERS_QUEUE_ARN,
    random,
    now,
  });
  return {
    ...services,
    ...queued,
    ...withBacklogMetrics({ ...services, ...queued }, metrics),
    sendDrain: createDrainSender({ sqs, queueUrl: env.RUNS_QUEUE_URL }),
    maxSlices: env.MAX_SLICES,
    ...consumedQueue(),
    runnersPerBatch: env.RUNNERS_PER_BATCH,
    log: logger,
  };
}

export function ingressServices() {
  const logger = log('ingress');
  const { sources, workflows, ...services } = runServices('ingress', logger, bucketLater());
  const rates = createRequestRates({
    counts: requestCountStore(table()),
    limits: limits(),
    isOnlyEmitter: parties().isOnlyEmitter,
    onLost: (error) => logger.warn('requests.uncounted', { error: describeError(error) }),
    now,
  });
  const runs = { sqs, queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL, payloads: services.bucket };
  return {
    ...services,
    workflows,
    rates,
    marks: serviceMarkStore(table()),
    idempotency: idempotencyStore(table()),
    resolveEndpoint: createEndpointResolver({
      sources,
      backlogs: backlogStore(table()),
      accounts: services.accounts,
      now,
    }),
    admission: createAdmission({
      quotas: services.quotas,
      storage: services.storage,
      queueDepth: queueDepth(logger),
      rates,
      now,
    }),
    sendTrigger: createTriggerCoalescer(runs),
    sendTriggers: createTriggerSender(runs),
    ingressUrl: environment('INGRESS_URL').INGRESS_URL,
    mutex: new KeyedMutex<SourceId>(),
    share: new SynchronousShare(parties().isOnlySource),
    log: logger,
  };
}
