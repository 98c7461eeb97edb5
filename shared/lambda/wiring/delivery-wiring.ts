import { listenerSecrets } from './webhook-wiring.ts';
import { createDeliverySender, createRetrySender, createTriggerSender } from '../../aws/queues.ts';
import { ownedDeliveries } from '../../service/delivery/owned-deliveries.ts';
import { createHealthRecorder } from '../../service/delivery/health-recorder.ts';
import { createHeldLimit } from '../../service/delivery/held-limit.ts';
import { createDropEvents } from '../../service/admission/drop-events.ts';
import { createFirstRetrySender, createNextSender } from '../../service/delivery/send-next.ts';
import { deliveryStore } from '../../store/deliveries/deliveries.ts';
import { deliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import { allDeliveries } from '../../store/deliveries/all-deliveries.ts';
import { waitingAndHeldDeliveries } from '../../store/deliveries/waiting-and-held.ts';
import { deliveryLog } from '../../store/deliveries/delivery-log.ts';
import { drainLeases } from '../../store/deliveries/drain-leases.ts';
import { droppedEventStore } from '../../store/events/dropped-events.ts';
import { expiringItems } from '../../store/table/expiring-items.ts';
import { listenerStore } from '../../store/subscriptions/matching.ts';
import { sendSlots } from '../../store/table/rate-slots.ts';
import { recoveryStore } from '../../store/deliveries/recoveries.ts';
import { webhookStore } from '../../store/subscriptions/webhooks.ts';
import { environment } from '../environment.ts';
import { withAttemptMetrics, withQuotaMetrics } from '../service-metrics.ts';
import { admission, notifier, quotas } from './admission-wiring.ts';
import { attemptCounts, serviceMetrics } from './count-wiring.ts';
import {
  attempter,
  bucketLater,
  log,
  now,
  onUnreadable,
  schedules,
  setAside,
  sqs,
  table,
} from './common-wiring.ts';

/** Services of every function that makes attempts of deliveries. */
function attemptServices(functionName: string) {
  const logger = log(functionName);
  const metrics = serviceMetrics(functionName, logger);
  const counts = withAttemptMetrics(attemptCounts(logger), metrics, {
    first: functionName === 'deliver-event',
  });
  const payloads = bucketLater();
  const deliveries = ownedDeliveries({
    deliveries: deliveryStore(table(), now),
    bucket: payloads,
    count: counts.countPayload,
    now,
  });
  const webhooks = webhookStore(table());
  const waitingAndHeld = waitingAndHeldDeliveries(table());
  const successLog = deliveryLog(table());
  const queueUrl = environment('RETRIES_QUEUE_URL').RETRIES_QUEUE_URL;
  const sendRetry = createRetrySender({ sqs, queueUrl });
  const notify = notifier(logger);
  return {
    notify,
    ...listenerSecrets(),
    deliveries,
    bucket: payloads,
    webhooks,
    waitingAndHeld,
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
    limitHeld: createHeldLimit({ deliveries, waitingAndHeld, onUnreadable, now }),
    onUnreadable,
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
  const services = attemptServices('deliver-event');
  const payloads = services.bucket;
  const sendTriggers = createTriggerSender({ sqs, queueUrl: env.RUNS_QUEUE_URL, payloads });
  return {
    ...services,
    setAside: setAside(),
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
    setAside: setAside(),
    schedules: scheduling,
    allDeliveries: allDeliveries({ deliveries: services.deliveries, log: services.successLog }),
    expiringItems: expiringItems(table()),
    deliveryBytes: deliveryBytesStore(table()),
    recoveries: recoveryStore(table()),
    leases: drainLeases(table()),
    sendNext: createNextSender({
      ...services,
      schedules: scheduling,
      retriesQueueArn: environment('RETRIES_QUEUE_ARN').RETRIES_QUEUE_ARN,
    }),
  };
}
