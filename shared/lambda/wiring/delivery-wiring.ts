import { createDeliverySender, createJobSender, createRetrySender, createTriggerSender } from '../../aws/queues.ts';
import { createDropEvents } from '../../service/admission/drop-events.ts';
import { createFirstRetrySender, createNextSender } from '../../service/delivery/send-next.ts';
import { droppedEventStore } from '../../store/events/dropped-events.ts';
import { environment } from '../environment.ts';
import { withAttemptMetrics, withQuotaMetrics } from '../service-metrics.ts';
import { attemptServicesOf, listenerSecretsOf, retryServicesOf } from './attempt-services.ts';
import { admission, notifier, quotas } from './admission-wiring.ts';
import { attemptCounts, serviceMetrics } from './count-wiring.ts';
import {
  attempter,
  bucketLater,
  consumedQueue,
  log,
  now,
  onUnreadable,
  schedules,
  sqs,
  table,
  vault,
} from './common-wiring.ts';

/** Services of every function that makes attempts of deliveries. */
function attemptServices(functionName: string) {
  const logger = log(functionName);
  const metrics = serviceMetrics(functionName, logger);
  const counts = withAttemptMetrics(attemptCounts(logger), metrics, {
    first: functionName === 'deliver-event',
  });
  const queueUrl = environment('RETRIES_QUEUE_URL').RETRIES_QUEUE_URL;
  return {
    ...listenerSecretsOf(vault(), now),
    ...attemptServicesOf({
      table: table(),
      bucket: bucketLater(),
      counts,
      notify: notifier(logger),
      sendRetry: createRetrySender({ sqs, queueUrl }),
      warn: logger.warn,
      onUnreadable,
      now,
    }),
    attempt: attempter(),
    serviceMetrics: metrics,
    log: logger,
    writeLine: logger.info,
  };
}

export function deliverEventServices() {
  const env = environment('RUNS_QUEUE_URL', 'DELIVERIES_QUEUE_URL');
  const services = attemptServices('deliver-event');
  const payloads = services.bucket;
  const sendTriggers = createTriggerSender({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads });
  return {
    ...services,
    ...consumedQueue(),
    storeSuccesses: services.successLog.store,
    sendNext: createFirstRetrySender(services),
    admission: admission(services.log, services.notify, {
      objects: payloads,
      owned: withQuotaMetrics(quotas(services.notify), services.serviceMetrics),
    }),
    sendTriggers,
    dropEvents: createDropEvents({ dropped: droppedEventStore(table()), sendTriggers, now }),
    sendDeliveries: createDeliverySender({ sqs, queueUrl: env.DELIVERIES_QUEUE_URL, payloads }),
  };
}

export function retryDeliveryServices() {
  const services = attemptServices('retry-delivery');
  const scheduling = schedules();
  return {
    ...services,
    ...consumedQueue(),
    schedules: scheduling,
    sendJobs: createJobSender({ sqs, queueUrl: environment('TIMERS_QUEUE_URL').TIMERS_QUEUE_URL }),
    ...retryServicesOf(table(), services),
    sendNext: createNextSender({
      ...services,
      schedules: scheduling,
      retriesQueueArn: environment('RETRIES_QUEUE_ARN').RETRIES_QUEUE_ARN,
    }),
  };
}
