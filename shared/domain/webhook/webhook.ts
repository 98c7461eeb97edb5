import * as z from 'zod';
import { UserId, WebhookId } from '../id.ts';
import { SealedFields } from '../user/sealed-fields.ts';
import { StoredSecret } from '../delivery/signing-secret.ts';
import { Target } from '../target/aws-target.ts';
import { WEBHOOK_FORMATS } from './webhook-format.ts';
import { WebhookHeaders } from '../delivery/webhook-headers.ts';
import { DisabledReason, type HealthName, HEALTHY, WebhookHealth } from './webhook-health.ts';
import type { RetryMessageOf } from '../run/message.ts';
import type { Breaker } from './breaker.ts';

/**
 * The fields of a webhook that a request may set. A field has its default in a new webhook whose request lacks it, and
 * in webhooks of earlier releases.
 */
export const WebhookSettings = z.object({
  name: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  url: z.string(),
  active: z.boolean().default(true),
  headers: WebhookHeaders.default([]),
  /** Attempts per second. */
  rateLimit: z.number().int().nullable().default(null),
  /** Seconds before each further attempt of a delivery; null for the service's schedule. */
  retrySeconds: z.array(z.number()).nullable().default(null),
  /** Deliveries of one emitter are sent one at a time, in the order of its events. */
  ordered: z.boolean().default(false),
  /** The form of the body. */
  format: z.enum(WEBHOOK_FORMATS).default('event'),
  /** A bus or a queue on AWS that the URL names; null for requests to the URL. */
  target: Target.nullable().default(null),
  tags: z.array(z.string()).default([]),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;

export const Webhook = WebhookSettings.omit({ headers: true }).extend({
  id: WebhookId,
  ownerId: UserId,
  disabledReason: DisabledReason.nullable().default(null),
  /** Signing secret as in Standard Webhooks. */
  secret: StoredSecret,
  /** The secret before the last rotation. It also signs until then, epoch ms. */
  previousSecret: z.object({ secret: StoredSecret, until: z.number() }).optional(),
  /** JSON text of the webhook's custom headers, as the field `headers`. */
  headers: SealedFields.optional(),
  health: WebhookHealth.default(HEALTHY),
  /** Counts changes, for optimistic locking. */
  version: z.number().int().default(0),
  /** Deliveries skip the first attempt until then, epoch ms, because the webhook failed recently. */
  suspectUntil: z.number().optional(),
  /** The owner is suspended since then, epoch ms: deliveries are held, whether the webhook is active or not. */
  suspendedAt: z.number().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `whsec_` and base64 of 32 random bytes, the format of Standard Webhooks. */
export const webhookSecret = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`;

/** The secrets that sign at this time, newest first. */
export const signingSecretsOf = (
  { secret, previousSecret }: Pick<Webhook, 'secret' | 'previousSecret'>,
  now: number,
): StoredSecret[] => (previousSecret && previousSecret.until > now ? [secret, previousSecret.secret] : [secret]);

/**
 * The names of a webhook's health: one of them, and `switched_on` for one that may hold deliveries from before. They
 * come from its item alone, because a list of 1,000 is filtered by them.
 */
export function healthNames(
  { active, disabledReason, health }: Pick<Webhook, 'active' | 'disabledReason' | 'health'>,
  { now, heldMs }: { now: number; heldMs: number },
): HealthName[] {
  if (!active) return [disabledReason === 'gone' || disabledReason === 'failing' ? 'off' : 'disabled'];
  const name = health.failingSince !== undefined ? 'failing' : health.slowSince !== undefined ? 'slow' : 'healthy';
  return (health.renewedAt ?? 0) > now - heldMs ? [name, 'switched_on'] : [name];
}

/** The work that keeps the waiting deliveries of a webhook going. */
export type WebhookWork = { kind: 'hold' } | { kind: 'probe'; breaker: Breaker } | { kind: 'drain' };

const HOLD: WebhookWork = { kind: 'hold' };
const DRAIN: WebhookWork = { kind: 'drain' };

/** The parts of a webhook that decide. */
type Working = Pick<Webhook, 'active' | 'health'> & Partial<Pick<Webhook, 'suspendedAt'>>;

/** Whether deliveries may be made. */
export const isReceiving = ({ active, suspendedAt }: Omit<Working, 'health'>): boolean =>
  active && suspendedAt === undefined;

/**
 * Decides that work. An inactive webhook holds its deliveries, and so does one of a suspended user. An open breaker
 * lets probes through, one delivery each; the success of a probe closes it. Otherwise a drain sends all of them.
 */
export function webhookWork(webhook: Working): WebhookWork {
  const { breaker } = webhook.health;
  if (!isReceiving(webhook)) return HOLD;
  return breaker ? { kind: 'probe', breaker } : DRAIN;
}

/**
 * Whether a webhook's new deliveries are left to that work at once. An attempt of theirs would fail while the breaker
 * is open, and a slow webhook would hold a whole batch of the queue with each attempt.
 */
export const skipsFirstAttempt = (webhook: Working): boolean =>
  webhookWork(webhook).kind !== 'drain' || webhook.health.slowSince !== undefined;

/** The message of the queue `retries` that does the work. */
export const workMessage = (listenerId: WebhookId, work: WebhookWork): RetryMessageOf<'hold' | 'probe' | 'drain'> =>
  work.kind === 'probe' ? { kind: work.kind, listenerId, probe: work.breaker.probe } : { kind: work.kind, listenerId };
