import { createEventBodyReader } from '../../aws/event-bodies.ts';
import { createBodyReads } from '../../service/admission/body-reads.ts';
import { createDeliveriesOfEvent } from '../../service/webhooks/deliveries-of-event.ts';
import { accountUseStore } from '../../store/accounts/account-uses.ts';
import { accountStore } from '../../store/accounts/accounts.ts';
import { activityStore } from '../../store/users/activity-counts.ts';
import { auditLog } from '../../store/users/audit-log.ts';
import { autoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import { componentAppStore } from '../../store/emitters/component-apps.ts';
import { signInStore, waitingSignIns } from '../../store/accounts/sign-ins.ts';
import { deliveryStore } from '../../store/deliveries/deliveries.ts';
import { deliveryLog } from '../../store/deliveries/delivery-log.ts';
import { keyLists } from '../../store/users/key-lists.ts';
import { metricStore } from '../../store/users/metrics.ts';
import { oauthClientStore } from '../../store/accounts/oauth-clients.ts';
import { serviceMarkStore } from '../../store/table/service-marks.ts';
import { ownershipStore } from '../../store/table/ownership.ts';
import { sourceStore } from '../../store/emitters/sources.ts';
import { storedEventStore } from '../../store/events/stored-events.ts';
import { subscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { sessionStore } from '../../store/users/sessions.ts';
import { cachedSignInSettings, signInSettingsStore } from '../../store/users/sign-in-settings-store.ts';
import { usageStore } from '../../store/users/usage.ts';
import { userLookup } from '../../store/users/users.ts';
import { webhookStore } from '../../store/subscriptions/webhooks.ts';
import { workflowStore } from '../../store/emitters/workflows.ts';
import { environment } from '../environment.ts';
import { bucketLater, limits, log, now, random, readBudget, oauthFunction, table, vault } from './common-wiring.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { COMMENT_MS } from '../../domain/live/stream-limits.ts';
import { WorkSteps } from '../../lib/reading/work-steps.ts';
import type { ShowEvent } from '../../service/live/live-batch.ts';
import { SharedChecks } from '../../service/live/shared-checks.ts';
import { StreamPermits } from '../../service/live/stream-permits.ts';
import { Ticker } from '../../service/live/ticker.ts';
import { Watchers } from '../../service/live/watchers.ts';
import { itemWatch } from '../../store/table/item-watch.ts';
import { newestEvents } from '../../store/events/newest-events.ts';
import { streamPermitStore } from '../../store/emitters/run-permits.ts';

/** Services of every API group. */
export const apiServices = (group: string) => ({
  users: userLookup(table()),
  marks: serviceMarkStore(table()),
  auditLog: auditLog(table()),
  sessions: sessionStore(table()),
  readSettings: cachedSignInSettings(signInSettingsStore(table()), now),
  publicApiUrl: environment('PUBLIC_API_URL').PUBLIC_API_URL,
  log: log(group),
  now,
});

/** The console serves files; its pages use the public API. */
export const consoleServices = () => ({ log: log('console') });

export const subscriptionServices = () => ({
  subscriptions: subscriptionStore(table()),
  autoSubscriptions: autoSubscriptionStore(table()),
  ownership: ownershipStore(table()),
  limits: limits(),
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
  keyLists: keyLists(table()),
  sessions: sessionStore(table()),
  signInSettings: signInSettingsStore(table()),
  auditLog: auditLog(table()),
  marks: serviceMarkStore(table()),
  limits: limits(),
  random,
  now,
});

export const accountServices = () => ({
  accounts: accountStore(table()),
  users: userLookup(table()),
  clients: oauthClientStore(table()),
  signIns: signInStore(table()),
  waiting: waitingSignIns(table()),
  oauthFunction: oauthFunction(),
  publicApiUrl: environment('PUBLIC_API_URL').PUBLIC_API_URL,
  marks: serviceMarkStore(table()),
  log: log('accounts'),
  uses: accountUseStore(table()),
  componentApps: componentAppStore(table()),
  sessions: sessionStore(table()),
  readSettings: cachedSignInSettings(signInSettingsStore(table()), now),
  vault: vault(),
  random,
  now,
});

export const liveAddress = () => ({ liveUrl: environment('LIVE_URL').LIVE_URL, random, now });

export const deliveriesOf = () =>
  createDeliveriesOfEvent({
    webhooks: webhookStore(table()),
    deliveries: deliveryStore(table(), now),
    successLog: deliveryLog(table()),
  });

export function workflowServices() {
  const events = storedEventStore(table(), createEventBodyReader(bucketLater()));
  return {
    ...liveAddress(),
    workflows: workflowStore(table()),
    events,
    reads: createBodyReads(events, readBudget()),
    deliveriesOf: deliveriesOf(),
    ingressUrl: environment('INGRESS_URL').INGRESS_URL,
  };
}

/** Live streams. The host of the function may tell of new events, by a property of `process`. */
export function liveServices(show: ShowEvent) {
  const watch = itemWatch(process, table().tableName);
  const events = storedEventStore(table(), createEventBodyReader(bucketLater()));
  const reading = {
    readNewest: newestEvents(table()),
    events,
    steps: new WorkSteps(),
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
    reads: createBodyReads(events, readBudget()),
    permits: new StreamPermits({
      store: streamPermitStore(table(), random),
      limit: limits().liveStreams,
      now,
    }),
    users: userLookup(table()),
    sources: sourceStore(table()),
    workflows: workflowStore(table()),
    log: log('live'),
  };
}
