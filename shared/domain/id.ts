import * as z from 'zod';

/**
 * Ids have a prefix by kind and sort by creation time: nine base-36 digits of the epoch milliseconds (enough until the
 * year 5188), then fifteen random digits (77 bits).
 */
export const prefixes = {
  source: 'dc',
  component: 'sc',
  workflow: 'p',
  webhook: 'wh',
  subscription: 'sub',
  autoSubscription: 'asub',
  user: 'u',
  account: 'apn',
  oauthClient: 'oc',
  signIn: 'ca',
  delivery: 'dl',
  recovery: 'rc',
  apiKey: 'key',
  session: 'sn',
} as const;

export type IdKind = keyof typeof prefixes;

const prefixed = <P extends string>(prefix: P) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9]{1,64}$`), `must be an id that starts with ${prefix}_`)
    .brand<P>();

export const SourceId = prefixed('dc');
export type SourceId = z.infer<typeof SourceId>;
export const ComponentId = prefixed('sc');
export type ComponentId = z.infer<typeof ComponentId>;
export const WorkflowId = prefixed('p');
export type WorkflowId = z.infer<typeof WorkflowId>;
export const WebhookId = prefixed('wh');
export type WebhookId = z.infer<typeof WebhookId>;
export const SubscriptionId = prefixed('sub');
export type SubscriptionId = z.infer<typeof SubscriptionId>;
export const AutoSubscriptionId = prefixed('asub');
export type AutoSubscriptionId = z.infer<typeof AutoSubscriptionId>;
export const UserId = prefixed('u');
export type UserId = z.infer<typeof UserId>;
export const AccountId = prefixed('apn');
export type AccountId = z.infer<typeof AccountId>;
export const OAuthClientId = prefixed('oc');
export type OAuthClientId = z.infer<typeof OAuthClientId>;
export const SignInId = prefixed('ca');
export type SignInId = z.infer<typeof SignInId>;
/** Exactly as {@link newId} makes it: ids of deliveries are positions in a log, and their time is read back. */
export const DeliveryId = z
  .string()
  .regex(/^dl_[0-9a-z]{24}$/, 'must be the id of a delivery')
  .brand<'dl'>();
export type DeliveryId = z.infer<typeof DeliveryId>;
export const RecoveryId = prefixed('rc');
export type RecoveryId = z.infer<typeof RecoveryId>;
export const ApiKeyId = prefixed('key');
export type ApiKeyId = z.infer<typeof ApiKeyId>;

export const SessionId = prefixed('sn');
export type SessionId = z.infer<typeof SessionId>;

export const EmitterId = z.union([SourceId, WorkflowId]);
export type EmitterId = z.infer<typeof EmitterId>;
/**
 * Webhooks first: most listeners are webhooks, and each member that does not match costs ten times as much as one that
 * does.
 */
export const ListenerId = z.union([WebhookId, SourceId, WorkflowId]);
export type ListenerId = z.infer<typeof ListenerId>;

/** Whether a text has the prefix of a kind. Does not check that it is a valid id. */
export const hasKind = (kind: IdKind, text: string): boolean => text.startsWith(`${prefixes[kind]}_`);
export const isSourceId = (id: EmitterId | ListenerId): id is SourceId => hasKind('source', id);
export const isWorkflowId = (id: EmitterId | ListenerId): id is WorkflowId => hasKind('workflow', id);
export const isWebhookId = (id: EmitterId | ListenerId): id is WebhookId => hasKind('webhook', id);

/** Returns random bytes. A parameter, so that the domain stays pure. */
export type Random = (bytes: number) => Uint8Array;

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A new id, e.g. `dc_0mvx3k2p9…`: 24 characters after the prefix. */
export function newId(kind: IdKind, now: number, random: Random): string {
  const time = now.toString(36).padStart(9, '0');
  let tail = '';
  for (const byte of random(15)) tail += DIGITS[byte % 36] ?? '0';
  return `${prefixes[kind]}_${time}${tail}`;
}

/** The time in an id, epoch ms: the inverse of {@link newId}. */
export const timeOfId = (id: string): number => {
  const [, tail = ''] = id.split('_');
  return parseInt(tail.slice(0, 9), 36);
};

/** The least text of an id of this kind and time: ids of the time and of all later times sort after it. */
export const firstIdAt = (kind: IdKind, ms: number): string =>
  `${prefixes[kind]}_${Math.max(Math.floor(ms), 0).toString(36).padStart(9, '0')}`;
