import type { Bucket } from '../../aws/bucket.ts';
import { createBuilder } from '../../aws/builder.ts';
import { createEventBodyReader } from '../../aws/event-bodies.ts';
import { createTriggerSender } from '../../aws/queues.ts';
import { createBodyReads } from '../../service/admission/body-reads.ts';
import { createConfigurator } from '../../service/components/configurator.ts';
import { createWaitingReader } from '../../service/sources/waiting-reader.ts';
import { accountStore } from '../../store/accounts/accounts.ts';
import { autoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import { backlogStore } from '../../store/emitters/backlog.ts';
import { componentStore } from '../../store/emitters/components.ts';
import { eventLookup } from '../../store/events/event-lookup.ts';
import { lastEventStore, newestEventStore } from '../../store/events/newest-events.ts';
import { runRecordStore } from '../../store/emitters/run-records.ts';
import { sourceStore } from '../../store/emitters/sources.ts';
import { storedEventStore } from '../../store/events/stored-events.ts';
import { subscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { environment } from '../environment.ts';
import { admission, lookUps, notifier, storage } from './admission-wiring.ts';
import { deliveriesOf, liveAddress } from './api-wiring.ts';
import {
  accountReader,
  bucketLater,
  lambda,
  limits,
  log,
  now,
  random,
  readBudget,
  runner,
  sqs,
  table,
} from './common-wiring.ts';

/** Payloads that wait in queues take little of a user's storage, and a list of them would load the client of S3. */
const NO_LIST = { list: () => Promise.resolve([]) };

const componentBuilding = (objects: Bucket) => ({
  components: componentStore(table()),
  accounts: accountStore(table()),
  bucket: objects,
  builder: createBuilder(lambda, environment('BUILDER_FUNCTION').BUILDER_FUNCTION),
  runner: runner(),
  configurator: createConfigurator({ runner: runner(), bucket: objects, accounts: accountReader(), now }),
  limits: limits(),
  storage: storage(NO_LIST),
  random,
  now,
});

export const componentServices = () => componentBuilding(bucketLater());

export function sourceServices() {
  const objects = bucketLater();
  const events = storedEventStore(table(), createEventBodyReader(objects));
  return {
    ...componentBuilding(objects),
    sources: sourceStore(table()),
    subscriptions: subscriptionStore(table()),
    autoSubscriptions: autoSubscriptionStore(table()),
    events,
    reads: createBodyReads(events, readBudget()),
    eventLookup: eventLookup(table(), { events }),
    lookUps: lookUps('sources'),
    deliveriesOf: deliveriesOf(),
    newestEvent: newestEventStore(table()),
    lastEvents: lastEventStore(table()),
    waitingTriggers: createWaitingReader(backlogStore(table())),
    runRecords: runRecordStore(table()),
    sendTriggers: createTriggerSender({
      sqs,
      queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL,
      payloads: objects,
    }),
    admission: admission(log('sources'), notifier(log('sources')), { objects: NO_LIST }),
    backlogs: backlogStore(table()),
    ingressUrl: environment('INGRESS_URL').INGRESS_URL,
    ...liveAddress(),
  };
}
