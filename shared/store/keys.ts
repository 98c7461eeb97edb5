import { createHash } from 'node:crypto';
import { type EventId, sortableEventId } from '../domain/event-id.ts';
import type {
  AccountId,
  AutoSubscriptionId,
  ComponentId,
  DeliveryId,
  EmitterId,
  ListenerId,
  SourceId,
  SubscriptionId,
  UserId,
  WebhookId,
  WorkflowId,
} from '../domain/id.ts';
import type { StreamName } from '../domain/stream.ts';

/**
 * Every key in the table, and so every question we can ask it. Nothing else spells a key.
 *
 * | question                                             | pk                        | sk                              |
 * | ---------------------------------------------------- | ------------------------- | ------------------------------- |
 * | whose key is this                                    | `KEY#<sha-256>`           | `KEY`                           |
 * | which user has this name                             | `USERNAME#<name>`         | `USERNAME`                      |
 * | a user; its counters; its usage of a day             | `USER#<u>`                | `USER`, `COUNTS`, `USAGE#<day>` |
 * | all users, all workflows (operator)                  | `USERS`, `WORKFLOWS`      | `<id>`                          |
 * | emitters whose removal the operator has begun         | `REMOVALS`                | `<id>`                          |
 * | a user's sources, webhooks, newest first             | `USER#<u>`                | `SOURCE#<id>`, `WEBHOOK#<id>`   |
 * | a user's subscriptions, auto-subscriptions           | `USER#<u>`                | `SUB#<id>`, `ASUB#<id>`         |
 * | a user's connected accounts                           | `USER#<u>`                | `ACCOUNT#<id>`                  |
 * | a connected account                                  | `ACCOUNT#<id>`            | `ACCOUNT`                       |
 * | is this slug taken                                   | `USER#<u>`                | `SLUG#<slug>`                   |
 * | the same component again; newest of a key            | `USER#<u>`                | `CONTENT#<hash>`, `CKEY#<key>`  |
 * | a component                                          | `COMPONENT#<id>`          | `COMPONENT`                     |
 * | the published component of a key                     | `REGISTRY`                | `<key>`                         |
 * | a source: what it is, how far it got, its db         | `EMITTER#<id>`            | `SOURCE`, `STATE`, `DB`         |
 * | a workflow and how far it got                        | `EMITTER#<id>`            | `WORKFLOW`, `STATE`             |
 * | which custom streams an emitter has written          | `EMITTER#<id>`            | `stream#<stream>`               |
 * | which source has this endpoint                       | `ENDPOINT#<id>`           | `ENDPOINT`                      |
 * | events of a stream in order                          | `STREAM#<id>#<stream>`    | `<sortable event id>`           |
 * | the body of one event                                | `BODY#<id>#<stream>`      | `<sortable event id>`           |
 * | who listens to this emitter's stream, by listener    | `SUBS#<emitter or glob>`  | `<stream>#<listener>`           |
 * | which subscriptions name this listener               | `LISTENER#<id>`           | `<emitter>#<stream>`            |
 * | auto-subscriptions by identity                       | `USER#<u>`                | `ASUBKEY#<listener>#<stream>`   |
 * | a webhook                                            | `WEBHOOK#<id>`            | `WEBHOOK`                       |
 * | deliveries of a listener that did not go at once     | `DELIVERIES#<listener>`   | `<delivery id>`                 |
 * | the answer to this idempotency key                   | `IDEMPOTENCY#<hash>`      | `IDEMPOTENCY`                   |
 */
const key = (pk: string, sk: string) => ({ pk, sk });

/** Text that a user typed, as a part of a key: `#` and everything beyond the plain is escaped, long text is hashed. */
function part(text: string): string {
  const escaped = encodeURIComponent(text);
  return escaped.length <= 400 ? escaped : `~${createHash('sha256').update(text).digest('hex')}`;
}

export const apiKeyKey = (hash: string) => key(`KEY#${hash}`, 'KEY');

export const usernameKey = (name: string) => key(`USERNAME#${part(name)}`, 'USERNAME');

export const userPartition = (userId: UserId) => `USER#${userId}`;
export const userKey = (userId: UserId) => key(userPartition(userId), 'USER');
export const countsKey = (userId: UserId) => key(userPartition(userId), 'COUNTS');
/** `day` as 2026-01-31, or a month as 2026-01. */
export const usageKey = (userId: UserId, period: string) => key(userPartition(userId), `USAGE#${period}`);
export const USERS_PARTITION = 'USERS';
export const WORKFLOWS_PARTITION = 'WORKFLOWS';
export const allUsersKey = (userId: UserId) => key(USERS_PARTITION, userId);
export const allWorkflowsKey = (workflowId: WorkflowId) => key(WORKFLOWS_PARTITION, workflowId);

export const REMOVALS_PARTITION = 'REMOVALS';
export const removalKey = (id: EmitterId) => key(REMOVALS_PARTITION, id);

const SOURCE_LIST_PREFIX = 'SOURCE#';
const WEBHOOK_LIST_PREFIX = 'WEBHOOK#';
export const SUBSCRIPTION_LIST_PREFIX = 'SUB#';
export const AUTO_SUBSCRIPTION_LIST_PREFIX = 'ASUB#';
export const sourceListKey = (userId: UserId, id: SourceId) =>
  key(userPartition(userId), `${SOURCE_LIST_PREFIX}${id}`);
export const webhookListKey = (userId: UserId, id: WebhookId) =>
  key(userPartition(userId), `${WEBHOOK_LIST_PREFIX}${id}`);
export const subscriptionListKey = (userId: UserId, id: SubscriptionId) =>
  key(userPartition(userId), `${SUBSCRIPTION_LIST_PREFIX}${id}`);
export const autoSubscriptionListKey = (userId: UserId, id: AutoSubscriptionId) =>
  key(userPartition(userId), `${AUTO_SUBSCRIPTION_LIST_PREFIX}${id}`);
export const autoSubscriptionIdentityKey = (userId: UserId, listenerId: ListenerId, stream: StreamName) =>
  key(userPartition(userId), `ASUBKEY#${listenerId}#${part(stream)}`);

/** Pointer items of a list: no data, their sort key ends in the id, and ids order by creation. */
export const pointersOf = (list: 'sources' | 'webhooks', userId: UserId) => ({
  pk: userPartition(userId),
  prefix: list === 'sources' ? SOURCE_LIST_PREFIX : WEBHOOK_LIST_PREFIX,
});

export const ACCOUNT_LIST_PREFIX = 'ACCOUNT#';
export const accountListKey = (userId: UserId, id: AccountId) =>
  key(userPartition(userId), `${ACCOUNT_LIST_PREFIX}${id}`);
export const accountKey = (id: AccountId) => key(`ACCOUNT#${id}`, 'ACCOUNT');

export const SLUG_PREFIX = 'SLUG#';
export const slugKey = (userId: UserId, slug: string) =>
  key(userPartition(userId), `${SLUG_PREFIX}${part(slug)}`);
export const componentContentKey = (userId: UserId, contentHash: string) =>
  key(userPartition(userId), `CONTENT#${contentHash}`);
export const componentKeyKey = (userId: UserId, componentKey: string) =>
  key(userPartition(userId), `CKEY#${part(componentKey)}`);

export const componentKey = (id: ComponentId) => key(`COMPONENT#${id}`, 'COMPONENT');
export const registryKey = (componentKeyText: string) => key('REGISTRY', part(componentKeyText));

export const emitterPartition = (id: EmitterId) => `EMITTER#${id}`;
export const sourceKey = (id: SourceId) => key(emitterPartition(id), 'SOURCE');
export const workflowKey = (id: WorkflowId) => key(emitterPartition(id), 'WORKFLOW');
export const stateKey = (id: EmitterId) => key(emitterPartition(id), 'STATE');
export const dbKey = (id: SourceId) => key(emitterPartition(id), 'DB');
/** Beside the items that every run reads, from `DB` to `WORKFLOW`, hence in lower case. */
export const STREAM_NAME_PREFIX = 'stream#';
export const streamNameKey = (id: EmitterId, stream: StreamName) =>
  key(emitterPartition(id), `${STREAM_NAME_PREFIX}${part(stream)}`);
export const endpointKey = (endpointId: string) => key(`ENDPOINT#${part(endpointId)}`, 'ENDPOINT');

export const streamPartition = (id: EmitterId, stream: StreamName) => `STREAM#${id}#${part(stream)}`;
export const eventKey = (id: EmitterId, stream: StreamName, event: EventId) =>
  key(streamPartition(id, stream), sortableEventId(event));
const bodyPartition = (id: EmitterId, stream: StreamName) => `BODY#${id}#${part(stream)}`;
export const bodyKey = (id: EmitterId, stream: StreamName, event: EventId) =>
  key(bodyPartition(id, stream), sortableEventId(event));

/** An exact emitter, or a glob of one user: `dc_*`, `p_*`. */
export type EmitterPattern = { emitterId: EmitterId } | { ownerId: UserId; glob: 'dc_*' | 'p_*' };

const patternText = (pattern: EmitterPattern) =>
  'emitterId' in pattern ? pattern.emitterId : `${pattern.ownerId}#${pattern.glob}`;
export const matchPartition = (pattern: EmitterPattern) => `SUBS#${patternText(pattern)}`;
/** Listeners of one stream, sorted by listener id. */
export const matchPrefix = (stream: StreamName) => `${part(stream)}#`;
export const matchKey = (pattern: EmitterPattern, stream: StreamName, listenerId: ListenerId) =>
  key(matchPartition(pattern), `${matchPrefix(stream)}${listenerId}`);
export const listenerPartition = (listenerId: ListenerId) => `LISTENER#${listenerId}`;
export const listenerKey = (listenerId: ListenerId, pattern: EmitterPattern, stream: StreamName) =>
  key(listenerPartition(listenerId), `${patternText(pattern)}#${part(stream)}`);

export const webhookKey = (id: WebhookId) => key(`WEBHOOK#${id}`, 'WEBHOOK');
export const deliveriesPartition = (listenerId: ListenerId) => `DELIVERIES#${listenerId}`;
export const deliveryKey = (listenerId: ListenerId, id: DeliveryId) =>
  key(deliveriesPartition(listenerId), id);
export const idempotencyKey = (hash: string) => key(`IDEMPOTENCY#${hash}`, 'IDEMPOTENCY');
