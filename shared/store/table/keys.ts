import { createHash } from 'node:crypto';
import { type EventId, sortableEventId } from '../../domain/event/event-id.ts';
import {
  type AccountId,
  type AutoSubscriptionId,
  type ComponentId,
  type SignInId,
  type DeliveryId,
  EmitterId,
  type ListenerId,
  type OAuthClientId,
  type SourceId,
  type SubscriptionId,
  type UserId,
  type WebhookId,
  type WorkflowId,
} from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';

/** All keys of the table: docs/data-model.md lists its access patterns. No other file builds keys. */
const key = (pk: string, sk: string) => ({ pk, sk });

/** User input as a part of a key: percent-encoded, so that it has no `#`; long text is hashed. */
function part(text: string): string {
  const escaped = encodeURIComponent(text);
  return escaped.length <= 400 ? escaped : `~${createHash('sha256').update(text).digest('hex')}`;
}

export const apiKeyKey = (hash: string) => key(`KEY#${hash}`, 'KEY');

export const usernameKey = (name: string) => key(`USERNAME#${part(name)}`, 'USERNAME');

export const userPartition = (userId: UserId) => `USER#${userId}`;
export const userKey = (userId: UserId) => key(userPartition(userId), 'USER');
export const keyListKey = (userId: UserId) => key(userPartition(userId), 'KEYS');
export const countsKey = (userId: UserId) => key(userPartition(userId), 'COUNTS');
/** `hour` is 2026-01-31T05. */
export const usageKey = (userId: UserId, hour: string) => key(userPartition(userId), `USAGE#${hour}`);
export const attemptsKey = (userId: UserId, hour: string) => key(userPartition(userId), `ATTEMPTS#${hour}`);
const DELIVERY_BYTES_PREFIX = 'STORED#';
export const deliveryBytesPrefix = (listenerId?: ListenerId) =>
  listenerId === undefined ? DELIVERY_BYTES_PREFIX : `${DELIVERY_BYTES_PREFIX}${listenerId}#`;
/** `day` is 2026-01-31. */
export const deliveryBytesKey = (userId: UserId, listenerId: ListenerId, day: string) =>
  key(userPartition(userId), `${deliveryBytesPrefix(listenerId)}${day}`);
export const metricsPartition = (id: SourceId | WebhookId) => `METRICS#${id}`;
/** `time` is the start of the bucket, as `bucketName` writes it. */
export const metricKey = (id: SourceId | WebhookId, granularity: string, time: string) =>
  key(metricsPartition(id), `${granularity}#${time}`);
export const runPermitsKey = (userId: UserId) => key(userPartition(userId), 'RUNS');
export const slicePermitsKey = key('BACKLOGS', 'SLICES');
export const streamPermitsKey = (userId: UserId) => key(userPartition(userId), 'STREAMS');
export const auditPartition = (userId: UserId) => `AUDIT#${userId}`;
/** `slot` is a position in the ring. */
export const auditKey = (userId: UserId, slot: number) => key(auditPartition(userId), String(slot).padStart(6, '0'));
export const auditCountKey = (userId: UserId) => key(auditPartition(userId), 'COUNT');
export const servicePartition = (region: string) => `SERVICE#${region}`;
export const serviceMarkKey = (region: string, mark: string) => key(servicePartition(region), mark);
export const USERS_PARTITION = 'USERS';
export const WORKFLOWS_PARTITION = 'WORKFLOWS';
export const allUsersKey = (userId: UserId) => key(USERS_PARTITION, userId);
export const allWorkflowsKey = (workflowId: WorkflowId) => key(WORKFLOWS_PARTITION, workflowId);

export const REMOVALS_PARTITION = 'REMOVALS';
export const removalKey = (id: EmitterId) => key(REMOVALS_PARTITION, id);

const SOURCE_LIST_PREFIX = 'SOURCE#';
const WEBHOOK_LIST_PREFIX = 'WEBHOOK#';
const WORKFLOW_LIST_PREFIX = 'WORKFLOW#';
export const SUBSCRIPTION_LIST_PREFIX = 'SUB#';
export const AUTO_SUBSCRIPTION_LIST_PREFIX = 'ASUB#';
export const sourceListKey = (userId: UserId, id: SourceId) => key(userPartition(userId), `${SOURCE_LIST_PREFIX}${id}`);
export const webhookListKey = (userId: UserId, id: WebhookId) =>
  key(userPartition(userId), `${WEBHOOK_LIST_PREFIX}${id}`);
export const workflowListKey = (userId: UserId, id: WorkflowId) =>
  key(userPartition(userId), `${WORKFLOW_LIST_PREFIX}${id}`);
export const subscriptionListKey = (userId: UserId, id: SubscriptionId) =>
  key(userPartition(userId), `${SUBSCRIPTION_LIST_PREFIX}${id}`);
export const autoSubscriptionListKey = (userId: UserId, id: AutoSubscriptionId) =>
  key(userPartition(userId), `${AUTO_SUBSCRIPTION_LIST_PREFIX}${id}`);
export const autoSubscriptionIdentityKey = (userId: UserId, listenerId: ListenerId, stream: StreamName) =>
  key(userPartition(userId), `ASUBKEY#${listenerId}#${part(stream)}`);

export const ACCOUNT_LIST_PREFIX = 'ACCOUNT#';
export const accountListKey = (userId: UserId, id: AccountId) =>
  key(userPartition(userId), `${ACCOUNT_LIST_PREFIX}${id}`);
/** Names of a user's accounts of one app. */
export const accountNamePrefix = (app: string) => `ANAME#${part(app)}#`;
export const accountNameKey = (userId: UserId, app: string, name: string) =>
  key(userPartition(userId), `${accountNamePrefix(app)}${part(name)}`);
export const accountKey = (id: AccountId) => key(`ACCOUNT#${id}`, 'ACCOUNT');

const LIST_PREFIXES = {
  sources: SOURCE_LIST_PREFIX,
  webhooks: WEBHOOK_LIST_PREFIX,
  workflows: WORKFLOW_LIST_PREFIX,
  accounts: ACCOUNT_LIST_PREFIX,
} as const;
export type PointerList = keyof typeof LIST_PREFIXES;

/** Pointer items of a list: no data, the sort key ends with the id, and ids sort by creation time. */
export const pointersOf = (list: PointerList, userId: UserId) => ({
  pk: userPartition(userId),
  prefix: LIST_PREFIXES[list],
});

export const SLUG_PREFIX = 'SLUG#';
export const slugKey = (userId: UserId, slug: string) => key(userPartition(userId), `${SLUG_PREFIX}${part(slug)}`);
export const componentContentKey = (userId: UserId, contentHash: string) =>
  key(userPartition(userId), `CONTENT#${contentHash}`);
export const COMPONENT_KEY_PREFIX = 'CKEY#';
export const componentKeyKey = (userId: UserId, componentKey: string) =>
  key(userPartition(userId), `${COMPONENT_KEY_PREFIX}${part(componentKey)}`);
/** Components without a key, by name. */
export const COMPONENT_NAME_PREFIX = 'CNAME#';
export const componentNameKey = (userId: UserId, name: string) =>
  key(userPartition(userId), `${COMPONENT_NAME_PREFIX}${part(name)}`);

export const componentKey = (id: ComponentId) => key(`COMPONENT#${id}`, 'COMPONENT');
export const REGISTRY_PARTITION = 'REGISTRY';
export const registryKey = (componentKeyText: string) => key(REGISTRY_PARTITION, part(componentKeyText));

export const emitterPartition = (id: EmitterId) => `EMITTER#${id}`;
export const emitterOfPartition = (pk: string): EmitterId => EmitterId.parse(pk.slice('EMITTER#'.length));
export const sourceKey = (id: SourceId) => key(emitterPartition(id), 'SOURCE');
export const workflowKey = (id: WorkflowId) => key(emitterPartition(id), 'WORKFLOW');
export const stateKey = (id: EmitterId) => key(emitterPartition(id), 'STATE');
/** Outside the range that loads an emitter. */
export const delayedCountKey = (id: EmitterId) => key(emitterPartition(id), 'COUNTS');
export const dbKey = (id: SourceId) => key(emitterPartition(id), 'DB');
/** Lower case sorts it outside the range `DB` to `WORKFLOW`, which every run reads. */
export const STREAM_NAME_PREFIX = 'stream#';
export const streamNameKey = (id: EmitterId, stream: StreamName) =>
  key(emitterPartition(id), `${STREAM_NAME_PREFIX}${part(stream)}`);
/** Outside that range, too. */
export const RUN_CHUNK_PREFIX = 'runs#';
export const runChunkKey = (id: EmitterId, slot: number) => key(emitterPartition(id), `${RUN_CHUNK_PREFIX}${slot}`);
export const RUN_REQUEST_PREFIX = 'request#';
export const runRequestKey = (id: SourceId, trigger: string) =>
  key(emitterPartition(id), `${RUN_REQUEST_PREFIX}${part(trigger)}`);
/** Within that range: each run reads whether its source has a backlog. */
export const movedKey = (id: EmitterId) => key(emitterPartition(id), 'MOVED');
export const drainedKey = (id: EmitterId) => key(emitterPartition(id), 'DRAINED');
/** Outside that range. */
export const droppedKey = (id: SourceId) => key(emitterPartition(id), 'dropped');
/** Outside that range. The prefixes sort in the order in which the triggers are executed. */
export const WAITING_PREFIXES = {
  /** Updates and deletions. */
  first: 'first#',
  /** Triggers that earlier releases kept for suspended sources. */
  kept: 'kept#',
  next: 'next#',
} as const;
export type WaitingRank = keyof typeof WAITING_PREFIXES;
/** `sequence` is the number of the trigger in its queue, of fixed length. */
export const waitingKey = (id: EmitterId, rank: WaitingRank, sequence: string) =>
  key(emitterPartition(id), `${WAITING_PREFIXES[rank]}${sequence}`);
export const endpointKey = (endpointId: string) => key(`ENDPOINT#${part(endpointId)}`, 'ENDPOINT');

export const streamPartition = (id: EmitterId, stream: StreamName) => `STREAM#${id}#${part(stream)}`;
export const eventKey = (id: EmitterId, stream: StreamName, event: EventId) =>
  key(streamPartition(id, stream), sortableEventId(event));
const bodyPartition = (id: EmitterId, stream: StreamName) => `BODY#${id}#${part(stream)}`;
export const bodyKey = (id: EmitterId, stream: StreamName, event: EventId) =>
  key(bodyPartition(id, stream), sortableEventId(event));

/** One emitter, or all emitters of a user that match a glob: `dc_*`, `p_*`. */
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

/** The emitter of a subscription, or its glob, from the sort key that {@link listenerKey} makes. */
export function emitterOfListenerKey(sortKey: string): string {
  const [emitter = '', ...rest] = sortKey.split('#');
  const [glob = ''] = rest;
  return rest.length > 1 ? glob : emitter;
}

export const webhookKey = (id: WebhookId) => key(`WEBHOOK#${id}`, 'WEBHOOK');
export const rateKey = (id: WebhookId) => key(`WEBHOOK#${id}`, 'RATE');
export const recoveryKey = (id: WebhookId) => key(`WEBHOOK#${id}`, 'RECOVERY');
export const drainKey = (id: WebhookId) => key(`WEBHOOK#${id}`, 'DRAIN');
export const testsKey = (id: WebhookId) => key(`WEBHOOK#${id}`, 'TESTS');

export const deliveryLogPartition = (id: WebhookId) => `LOG#${id}`;
/** Sorts after every id that begins with `newest`: making those ids would take a hash for each delivery. */
export const deliveryLogKey = (id: WebhookId, newest: string, hash: string) =>
  key(deliveryLogPartition(id), `${newest}~${hash}`);
export const deliveriesPartition = (listenerId: ListenerId) => `DELIVERIES#${listenerId}`;
export const deliveryKey = (listenerId: ListenerId, id: DeliveryId) => key(deliveriesPartition(listenerId), id);
const deliveryPartition = (id: string) => `DELIVERY#${id}`;
export const deliveryBodyKey = (id: DeliveryId) => key(deliveryPartition(id), 'BODY');
export const ATTEMPT_PREFIX = 'ATTEMPT#';
export const attemptKey = (id: DeliveryId, slot: number) =>
  key(deliveryPartition(id), `${ATTEMPT_PREFIX}${String(slot).padStart(2, '0')}`);
export const attemptsPartition = deliveryPartition;

/** Lists of deliveries in one state, oldest first. `ordered`: those of one emitter after the other. */
export type DeliveryListName = 'waiting' | 'ordered' | 'held';
export const listPartition = (list: DeliveryListName, listenerId: ListenerId) => `${list.toUpperCase()}#${listenerId}`;
/** The start of the sort keys of an emitter's ordered deliveries. */
export const orderedPrefix = (emitterId: EmitterId) => `${emitterId}#`;
interface Listed {
  id: DeliveryId;
  listenerId: ListenerId;
  emitterId?: EmitterId | undefined;
}
export const listEntryKey = (list: DeliveryListName, { id, listenerId, emitterId }: Listed) =>
  key(listPartition(list, listenerId), list === 'ordered' && emitterId ? `${orderedPrefix(emitterId)}${id}` : id);
/** An event whose fan-out is not done: ordered webhooks send no later one of its emitter. */
export const fanOutsPartition = (id: EmitterId) => `FANOUTS#${id}`;
export const fanOutKey = (id: EmitterId, event: EventId) => key(fanOutsPartition(id), sortableEventId(event));
export const ORDERED_WEBHOOK_PREFIX = 'ORDERED#';
export const orderedWebhookKey = (userId: UserId, id: WebhookId) =>
  key(userPartition(userId), `${ORDERED_WEBHOOK_PREFIX}${id}`);
export const requestCountKey = (id: EmitterId | UserId, window: number) => key(`REQUESTS#${id}`, String(window));
export const lookUpCountKey = (id: EmitterId | UserId, window: number) => key(`LOOKUPS#${id}`, String(window));

export const idempotencyKey = (hash: string) => key(`IDEMPOTENCY#${hash}`, 'IDEMPOTENCY');

export const OAUTH_CLIENTS_PARTITION = 'OAUTHCLIENTS';
export const oauthClientKey = (id: OAuthClientId) => key(OAUTH_CLIENTS_PARTITION, id);
export const oauthAppKey = (app: string) => key(`OAUTHAPP#${part(app)}`, 'OAUTHAPP');
export const oauthLoginsPartition = (id: OAuthClientId) => `OAUTHLOGINS#${id}`;
export const oauthLoginPrefix = (uid: string) => `${part(uid)}#`;
export const oauthLoginKey = (id: OAuthClientId, uid: string, accountId: AccountId) =>
  key(oauthLoginsPartition(id), `${oauthLoginPrefix(uid)}${accountId}`);

const signInPartition = (id: SignInId) => `CONNECT#${id}`;
export const signInKey = (id: SignInId) => key(signInPartition(id), 'CONNECT');
/** `stateHash` is a SHA-256 in hex. */
export const authorizationKey = (id: SignInId, stateHash: string) => key(signInPartition(id), `FLIGHT#${stateHash}`);
export const waitingSignInsKey = (userId: UserId) => key(userPartition(userId), 'CONNECTS');

/** How people sign in to the console. */
export const signInSettingsKey = key('SIGNIN', 'SETTINGS');
/** `hash` is a SHA-256 in hex, as the next ones are. */
export const sessionKey = (hash: string) => key(`SESSION#${hash}`, 'SESSION');
/** Apart from the session, which every request reads. */
export const sessionTokensKey = (hash: string) => key(`SESSION#${hash}`, 'TOKENS');
export const personSessionsKey = (client: OAuthClientId, subject: string) =>
  key(`PERSON#${client}#${part(subject)}`, 'SESSIONS');
/** A sign-in that has come back from the provider. */
export const usedSignInKey = (stateHash: string) => key(`SIGNEDIN#${stateHash}`, 'USED');
export const callbackCountKey = (network: string, window: number) => key(`CALLBACKS#${part(network)}`, String(window));
