import { setTimeout as pause } from 'node:timers/promises';
import { createEventBodyReader } from '../../aws/event-bodies.ts';
import { createRetrySender } from '../../aws/queues.ts';
import { createBodyReads } from '../../service/admission/body-reads.ts';
import { ownedDeliveries } from '../../service/delivery/owned-deliveries.ts';
import { createEventOfDelivery } from '../../service/webhooks/event-of-delivery.ts';
import { autoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import { deliveryStore } from '../../store/deliveries/deliveries.ts';
import { deliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import { allDeliveries } from '../../store/deliveries/all-deliveries.ts';
import { waitingAndHeldDeliveries } from '../../store/deliveries/delivery-lists.ts';
import { deliveryLog } from '../../store/deliveries/delivery-log.ts';
import { recoveryStore } from '../../store/deliveries/recoveries.ts';
import { storedEventStore } from '../../store/events/stored-events.ts';
import { orderedWebhookStore, webhookStore } from '../../store/subscriptions/webhooks.ts';
import { subscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { testSlots } from '../../store/deliveries/test-slots.ts';
import { listenerStore } from '../../store/subscriptions/matching.ts';
import { environment, targetRule } from '../environment.ts';
import { lookUps } from './admission-wiring.ts';
import { listenerSecretsOf } from './attempt-services.ts';
import {
  attempterLater,
  bucketLater,
  limits,
  log,
  now,
  random,
  readBudget,
  schedules,
  sqs,
  table,
  vault,
} from './common-wiring.ts';

export function webhookServices() {
  const { info } = log('webhooks');
  const payloads = bucketLater();
  const deliveryBytes = deliveryBytesStore(table());
  const deliveries = ownedDeliveries({
    deliveries: deliveryStore(table(), now),
    bucket: payloads,
    count: (change) => deliveryBytes.add([change]),
    now,
  });
  const successLog = deliveryLog(table());
  const events = storedEventStore(table(), createEventBodyReader(payloads));
  const env = environment('RETRIES_QUEUE_URL', 'RETRIES_QUEUE_ARN', 'PAUSED', 'DELIVERY_ADDRESSES', 'PUBLIC_API_URL');
  return {
    ...listenerSecretsOf(vault(), now),
    schedules: schedules(),
    retriesQueueArn: env.RETRIES_QUEUE_ARN,
    webhooks: webhookStore(table()),
    orderedWebhooks: orderedWebhookStore(table()),
    pause: (ms: number) => pause(ms),
    matching: listenerStore(table()),
    deliveries,
    bucket: payloads,
    allDeliveries: allDeliveries({ deliveries, log: successLog }),
    successLog,
    lookUps: lookUps('webhooks'),
    waitingAndHeld: waitingAndHeldDeliveries(table()),
    recoveries: recoveryStore(table()),
    testSlots: testSlots(table()),
    eventOf: createEventOfDelivery({ deliveries, events, bucket: payloads }),
    reads: createBodyReads(events, readBudget()),
    vault: vault(),
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    sendRetry: createRetrySender({ sqs, queueUrl: env.RETRIES_QUEUE_URL }),
    attempt: attempterLater(),
    targetRule: targetRule(),
    isPaused: env.PAUSED,
    deliveryAddresses: env.DELIVERY_ADDRESSES,
    publicApiUrl: env.PUBLIC_API_URL,
    writeLine: info,
    limits: limits(),
    random,
    now,
  };
}
