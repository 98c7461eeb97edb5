import * as z from 'zod';
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts';
import { AttemptSummary, summaryOf } from '../delivery/delivery.ts';
import { type Slowness, slownessAfter } from './slowness.ts';

/** Failures in a row that open the breaker. */
const FAILURES_TO_OPEN = 10;
/** Failures that open the breaker when every attempt of the window failed. */
const FAILURES_IN_WINDOW = 3;
/** Time window of the breaker. */
export const WINDOW_MS = MINUTE_MS;
const FIRST_PROBE_MS = 10_000;
const LONGEST_PROBE_MS = 10 * MINUTE_MS;
/** A webhook that fails for this long is deactivated. */
const LONGEST_FAILURE_MS = 5 * DAY_MS;

export const DisabledReason = z.enum(['owner', 'gone', 'failing']);
export type DisabledReason = z.infer<typeof DisabledReason>;

/** While a breaker is open, only probes are sent. */
export const Breaker = z.object({
  openedAt: z.number(),
  /** Number of the next probe, from 1. */
  probe: z.number().int(),
  /** Time of the next probe, epoch ms. */
  probeAt: z.number(),
  /** No message for the next probe exists, because no delivery waits. */
  isIdle: z.boolean().optional(),
});
export type Breaker = z.infer<typeof Breaker>;

/**
 * The stored record of a webhook's attempts. Successful first attempts of a healthy webhook are not written here: the delivery log has
 * them.
 */
export const WebhookHealth = z.object({
  /** Failed attempts since the last success. */
  failures: z.number().int().default(0),
  /** Times of the newest failures since the last success, newest first. */
  recent: z.array(z.number()).default([]),
  failingSince: z.number().optional(),
  lastAttempt: AttemptSummary.optional(),
  lastSuccess: z.number().optional(),
  breaker: Breaker.optional(),
  /** Share of slow ones among the recent responses, from 0 to 1. */
  slowShare: z.number().optional(),
  /** The webhook responds slowly since then, epoch ms. */
  slowSince: z.number().optional(),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

export const HEALTHY: WebhookHealth = { failures: 0, recent: [] };

/** Whether the next success has to be recorded. */
export const isUnhealthy = ({ failingSince, breaker }: WebhookHealth): boolean =>
  failingSince !== undefined || breaker !== undefined;

/** An attempt that has to be recorded. */
export interface RecordedResult extends AttemptSummary {
  /** Number of the probe that the attempt was. */
  probe?: number | undefined;
  /** Start of a success that the delivery log may not have yet, epoch ms. */
  knownSuccess?: number | undefined;
  /** Fast responses of the same process before it that were not recorded. */
  fastBefore?: number | undefined;
}

export interface HealthChange {
  health: WebhookHealth;
  /** For the log: the webhook began to fail, or works again. */
  changed?: 'failing' | 'recovered';
  isClosed: boolean;
  /** The webhook is to be deactivated. */
  disable?: 'gone' | 'failing';
}

interface HealthInput {
  /** Attempts that ended, in the order of their ends. */
  attempts: readonly RecordedResult[];
  /** Start of the newest success in the delivery log, epoch ms. */
  lastSuccess: number | undefined;
  now: number;
}

/** The health after attempts. Tests of a webhook are not attempts here. */
export function healthAfter(
  before: WebhookHealth,
  { attempts, lastSuccess, now }: HealthInput,
): HealthChange {
  const known = attempts.map(({ knownSuccess = 0 }) => knownSuccess);
  const newestSuccess = Math.max(lastSuccess ?? 0, before.lastSuccess ?? 0, ...known);
  let health = withSuccess(before, newestSuccess);
  let slowness: Slowness = { slowShare: before.slowShare, slowSince: before.slowSince };
  let disable: HealthChange['disable'];
  for (const attempt of attempts) {
    slowness = slownessAfter(slowness, attempt);
    if (attempt.outcome === 'delivered') {
      health = afterSuccess(health, attempt);
    } else {
      health = afterFailure(health, attempt, now);
      if (attempt.status === 410) disable = 'gone';
    }
  }
  const isFailing = health.failingSince !== undefined;
  if (isFailing && now - (health.failingSince ?? now) >= LONGEST_FAILURE_MS) disable ??= 'failing';
  const mayOpen = !health.breaker && disable === undefined;
  if (mayOpen && opens(health, Math.max(newestSuccess, health.lastSuccess ?? 0), now)) {
    health = { ...health, breaker: { openedAt: now, probe: 1, probeAt: now + FIRST_PROBE_MS } };
  }
  const wasFailing = before.failingSince !== undefined;
  return {
    health: { ...health, ...slowness },
    ...(isFailing === wasFailing ? {} : { changed: isFailing ? 'failing' : 'recovered' }),
    isClosed: before.breaker !== undefined && !health.breaker,
    ...(disable ? { disable } : {}),
  };
}

/** The health after a success that only the delivery log or its process knows. */
const withSuccess = (health: WebhookHealth, at: number): WebhookHealth =>
  health.breaker || at <= (health.lastAttempt?.at ?? 0)
    ? health
    : { ...HEALTHY, lastAttempt: health.lastAttempt, lastSuccess: at };

function afterSuccess(health: WebhookHealth, attempt: AttemptSummary): WebhookHealth {
  const { lastAttempt, lastSuccess = 0 } = newest(health, attempt);
  return { failures: 0, recent: [], lastAttempt, lastSuccess: Math.max(lastSuccess, attempt.at) };
}

function afterFailure(health: WebhookHealth, attempt: RecordedResult, now: number): WebhookHealth {
  const endedAt = attempt.at + attempt.ms;
  const { breaker, lastSuccess = 0 } = health;
  // An attempt that began later succeeded.
  if (!breaker && lastSuccess > attempt.at) return newest(health, attempt);
  return {
    ...newest(health, attempt),
    ...(breaker && attempt.probe === breaker.probe ? { breaker: afterProbe(breaker, now) } : {}),
    failures: health.failures + 1,
    recent: [endedAt, ...health.recent].slice(0, FAILURES_IN_WINDOW),
    failingSince: health.failingSince ?? attempt.at,
  };
}

function newest(health: WebhookHealth, attempt: AttemptSummary): WebhookHealth {
  const { lastAttempt } = health;
  return lastAttempt && lastAttempt.at > attempt.at ? health : { ...health, lastAttempt: summaryOf(attempt) };
}

/** Opens after ten failures in a row, or when every attempt of the last minute failed, at least three. */
function opens({ failures, recent }: WebhookHealth, lastSuccess: number, now: number): boolean {
  if (failures >= FAILURES_TO_OPEN) return true;
  const inWindow = recent.filter((at) => at > now - WINDOW_MS);
  return inWindow.length >= FAILURES_IN_WINDOW && lastSuccess <= now - WINDOW_MS;
}

const afterProbe = ({ openedAt, probe }: Breaker, now: number): Breaker => ({
  openedAt,
  probe: probe + 1,
  probeAt: now + Math.min(FIRST_PROBE_MS * 2 ** Math.min(probe, 30), LONGEST_PROBE_MS),
});

/** The health of a webhook that begins anew: with another URL, or switched on again. The last attempts stay visible. */
export const renewedHealth = (
  { lastAttempt, lastSuccess, failingSince }: WebhookHealth,
  { keepsFailingSince }: { keepsFailingSince: boolean },
): WebhookHealth => ({
  ...HEALTHY,
  lastAttempt,
  lastSuccess,
  failingSince: keepsFailingSince ? failingSince : undefined,
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
