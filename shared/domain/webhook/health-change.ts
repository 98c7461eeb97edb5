import { HOUR_MS } from '../../lib/durations.ts';
import { type AttemptSummary, isSameAttempt, type KeptResponse, summaryOf } from '../delivery/delivery.ts';
import { failureSubjectOf } from '../delivery/failure-subject.ts';
import { LONGEST_FAILURE_MS } from '../delivery/receiver-failure.ts';
import { redirectTarget } from '../delivery/redirect-target.ts';
import type { DeliveryId } from '../id.ts';
import { afterProbe, FAILURES_TO_OPEN, openedBreaker, opens } from './breaker.ts';
import { type Slowness, slownessAfter } from './slowness.ts';
import { HEALTHY, type WebhookHealth } from './webhook-health.ts';

/**
 * A first attempt that fails this long after the last failure begins another period of failure: nothing was tried
 * meanwhile. The longest pause between two attempts of a delivery is 50 h, after a `Retry-After`.
 */
const LONGEST_GAP_MS = 60 * HOUR_MS;

export interface RecordedResult extends AttemptSummary, Pick<KeptResponse, 'headers'> {
  /** Number of the attempt of its delivery, from 1. */
  attempt?: number | undefined;
  probe?: number | undefined;
  /** The delivery of the attempt, if it was a probe. */
  probed?: DeliveryId | undefined;
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
  /** The address that the last attempt was redirected to. */
  redirect?: string | undefined;
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
export function healthAfter(before: WebhookHealth, { attempts, lastSuccess, now }: HealthInput): HealthChange {
  const known = attempts.map(({ knownSuccess = 0 }) => knownSuccess);
  const newestSuccess = Math.max(lastSuccess ?? 0, before.lastSuccess ?? 0, ...known);
  let health = withSuccess(before, newestSuccess);
  let slowness: Slowness = { slowShare: before.slowShare, slowSince: before.slowSince };
  let disable: HealthChange['disable'];
  for (const attempt of attempts) {
    slowness = slownessAfter(slowness, attempt);
    health = afterAttempt(health, attempt, now);
    if (attempt.status === 410) disable = 'gone';
  }
  const { receiverFailingSince = now } = health;
  if (now - receiverFailingSince >= LONGEST_FAILURE_MS) disable ??= 'failing';
  if (!health.breaker && disable === undefined && opens(recentAttempts(health, newestSuccess), now))
    health = { ...health, breaker: openedBreaker(now) };
  const [wasFailing, isFailing] = [before, health].map(({ failingSince }) => failingSince !== undefined);
  return {
    health: { ...health, ...slowness },
    ...(isFailing === wasFailing ? {} : { changed: isFailing ? 'failing' : 'recovered' }),
    isClosed: before.breaker !== undefined && !health.breaker,
    redirect: redirectTarget(attempts.find((each) => isSameAttempt(health.lastAttempt, each)) ?? {}),
    ...(disable ? { disable } : {}),
  };
}

/** The health after a success that only the delivery log or its process knows. */
const withSuccess = (health: WebhookHealth, at: number): WebhookHealth =>
  health.breaker || at <= (health.lastAttempt?.at ?? 0) ? health : { ...cleared(health), lastSuccess: at };

function afterAttempt(health: WebhookHealth, attempt: RecordedResult, now: number): WebhookHealth {
  const known = withAttempt(health, attempt);
  switch (failureSubjectOf(attempt)) {
    case undefined:
      return { ...cleared(known), lastSuccess: Math.max(health.lastSuccess ?? 0, attempt.at) };
    case 'event':
      return afterRefusal(known, attempt);
    case 'receiver':
      return afterFailure(known, attempt, now);
  }
}

/** A receiver that refuses an event works: its breaker closes. The webhook is shown as failing all the same. */
function afterRefusal(health: WebhookHealth, attempt: RecordedResult): WebhookHealth {
  const { lastSuccess = 0, lastRefusal = 0 } = health;
  const failingSince = lastSuccess > attempt.at ? health.failingSince : (health.failingSince ?? attempt.at);
  if (isBeforeRenewal(health, attempt)) return { ...health, failingSince };
  return { ...cleared(health), failingSince, lastRefusal: Math.max(lastRefusal, attempt.at) };
}

function afterFailure(health: WebhookHealth, attempt: RecordedResult, now: number): WebhookHealth {
  const { breaker, lastSuccess = 0, recent, receiverFailingSince } = health;
  // An attempt that began later succeeded.
  if (!breaker && lastSuccess > attempt.at) return health;
  const failingSince = health.failingSince ?? attempt.at;
  if (isBeforeRenewal(health, attempt)) return { ...health, failingSince };
  const isNewPeriod = attempt.attempt === 1 && attempt.at - (recent[0] ?? attempt.at) > LONGEST_GAP_MS;
  return {
    ...health,
    ...(breaker && attempt.probe === breaker.probe
      ? { breaker: afterProbe(breaker, { lastProbed: attempt.probed, now }) }
      : {}),
    recent: [attempt.at, ...recent].toSorted((a, b) => b - a).slice(0, FAILURES_TO_OPEN),
    failingSince,
    receiverFailingSince: (isNewPeriod ? undefined : receiverFailingSince) ?? attempt.at,
  };
}

/** The health without its failures and its breaker. */
const cleared = ({ lastAttempt, lastSuccess, lastRefusal, renewedAt }: WebhookHealth): WebhookHealth => ({
  ...HEALTHY,
  lastAttempt,
  lastSuccess,
  lastRefusal,
  renewedAt,
});

const isBeforeRenewal = ({ renewedAt = 0 }: WebhookHealth, { at }: AttemptSummary): boolean => at < renewedAt;

function withAttempt(health: WebhookHealth, attempt: AttemptSummary): WebhookHealth {
  const { lastAttempt } = health;
  return lastAttempt && lastAttempt.at > attempt.at ? health : { ...health, lastAttempt: summaryOf(attempt) };
}

/** Attempts that the breaker counts: those since the webhook began anew. */
function recentAttempts(health: WebhookHealth, newestSuccess: number): Parameters<typeof opens>[0] {
  const { recent, lastSuccess = 0, lastRefusal = 0, renewedAt = 0 } = health;
  const counted = (at: number): number => (at < renewedAt ? 0 : at);
  return {
    failures: recent,
    lastSuccess: counted(Math.max(newestSuccess, lastSuccess)),
    lastRefusal: counted(lastRefusal),
  };
}
