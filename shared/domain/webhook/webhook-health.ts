import * as z from 'zod';
import { AttemptSummary } from '../delivery/delivery.ts';
import { Breaker } from './breaker.ts';

export const DisabledReason = z.enum(['owner', 'gone', 'failing']);
export type DisabledReason = z.infer<typeof DisabledReason>;

/**
 * The stored record of a webhook's attempts. Successful first attempts of a healthy webhook are not written here: the
 * delivery log has them.
 */
export const WebhookHealth = z.object({
  /**
   * Starts of the newest attempts that failed about the receiver, since the last attempt that did not; newest first.
   */
  recent: z.array(z.number()).default([]),
  /** Start of the first failed attempt after the last success, epoch ms. */
  failingSince: z.number().optional(),
  /** Start of the first of the attempts in a row that failed about the receiver, epoch ms. */
  receiverFailingSince: z.number().optional(),
  /** Start of the newest attempt whose event the receiver refused, epoch ms. */
  lastRefusal: z.number().optional(),
  /**
   * The webhook began anew with another URL or was switched on, epoch ms. Earlier attempts tell nothing about the
   * receiver.
   */
  renewedAt: z.number().optional(),
  lastAttempt: AttemptSummary.optional(),
  lastSuccess: z.number().optional(),
  breaker: Breaker.optional(),
  /** Share of slow ones among the recent responses, from 0 to 1. */
  slowShare: z.number().optional(),
  /** The webhook responds slowly since then, epoch ms. */
  slowSince: z.number().optional(),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

/** The names by which a list is filtered. */
export const HealthName = z.enum(['off', 'failing', 'slow', 'disabled', 'healthy', 'switched_on']);
export type HealthName = z.infer<typeof HealthName>;

export const HEALTHY: WebhookHealth = { recent: [] };

/** Whether the next success has to be recorded. */
export const isUnhealthy = ({ failingSince, breaker }: WebhookHealth): boolean =>
  failingSince !== undefined || breaker !== undefined;

/** The health of a webhook that begins anew: with another URL, or switched on again. The last attempts stay visible. */
export const renewedHealth = (
  { lastAttempt, lastSuccess, failingSince }: WebhookHealth,
  { keepsFailingSince, now }: { keepsFailingSince: boolean; now: number },
): WebhookHealth => ({
  ...HEALTHY,
  lastAttempt,
  lastSuccess,
  failingSince: keepsFailingSince ? failingSince : undefined,
  renewedAt: now,
});

/** The health as callers see it: the stored health and the newest success of the delivery log, whichever is newer. */
export function shownHealth(health: WebhookHealth, logged: AttemptSummary | undefined) {
  const lastAttempt = logged && logged.at > (health.lastAttempt?.at ?? -1) ? logged : health.lastAttempt;
  const lastSuccess = Math.max(logged?.at ?? 0, health.lastSuccess ?? 0);
  const isOver = health.failingSince !== undefined && lastSuccess > (health.lastAttempt?.at ?? 0);
  return {
    lastAttempt,
    lastSuccess: lastSuccess === 0 ? undefined : lastSuccess,
    failingSince: isOver ? undefined : health.failingSince,
  };
}
