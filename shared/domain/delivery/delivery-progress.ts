import type { AttemptSummary, Delivery, DeliveryStatus } from './delivery.ts';
import { failureSubjectOf } from './failure-subject.ts';
import { LONGEST_FAILURE_MS, pauseAfter } from './receiver-failure.ts';
import { delayAfter, leastDelayAfter, orderedPauses } from './retry-schedule.ts';

/** Why an attempt is made. A redelivery takes no step of the schedule. */
export type AttemptCause = 'schedule' | 'probe' | 'recover' | 'redeliver';

/** The part of a delivery that its attempts change. */
export interface Progress extends Pick<Delivery, 'status' | 'nextAt'> {
  /** No drain sends the delivery before this time, epoch ms: the response to its last attempt asked to wait. */
  notBefore?: number | undefined;
  /** Failed attempts of the retry schedule since it began. */
  scheduleStep: number;
  /** Number of the message that makes the next scheduled attempt; messages with a lower number are void. */
  messageNumber: number;
  /** In the order of an emitter: start of the failures in a row about the receiver, epoch ms. */
  failingSince?: number | undefined;
}

interface AttemptResult {
  cause: AttemptCause;
  attempt: AttemptSummary;
  /** The webhook's own schedule; null for the service's. */
  retrySeconds: readonly number[] | null;
  /** The delivery holds up the later ones of its emitter. */
  isOrdered?: boolean;
  retryAfterMs?: number | undefined;
  /** In [0, 1). */
  random: number;
  now: number;
}

/**
 * Progress after an attempt, and whether the next scheduled attempt needs a message: the drain makes that of a delivery
 * in the order of its emitter.
 */
export function progressAfter(before: Progress, result: AttemptResult): Progress & { needsMessage: boolean } {
  const { cause, attempt, isOrdered = false, retryAfterMs, random, now } = result;
  const { scheduleStep, messageNumber, status } = before;
  if (attempt.outcome === 'delivered') return ended({ scheduleStep, messageNumber }, 'delivered');
  // The delivery may have ended or may be held since the attempt began.
  const isOver = status === 'delivered' || status === 'discarded';
  if (cause === 'redeliver' || isOver) return { ...before, needsMessage: false };
  if (attempt.status === 410) return ended({ scheduleStep, messageNumber }, 'failed');
  if (cause !== 'recover' && (status === 'failed' || status === 'held')) return { ...before, needsMessage: false };
  // A recovery begins the schedule of `failed` and `held` deliveries anew; the others keep their next attempt.
  if (cause === 'recover' && status === 'retrying') return { ...before, needsMessage: false };
  if (isOrdered && failureSubjectOf(attempt) === 'receiver') return afterReceiverFailure(before, result);
  const failed = cause === 'recover' ? 1 : scheduleStep + 1;
  const timedOut = attempt.outcome === 'timed_out';
  const retrySeconds = isOrdered ? orderedPauses(result.retrySeconds) : result.retrySeconds;
  const failure = { attempt: failed, retrySeconds, status: attempt.status, timedOut, retryAfterMs, random };
  const delay = delayAfter(failure);
  if (delay === undefined) return ended({ scheduleStep: failed, messageNumber }, 'failed');
  const leastDelay = isOrdered ? delay : leastDelayAfter(failure);
  return {
    status: 'retrying',
    notBefore: leastDelay > 0 ? now + leastDelay : undefined,
    scheduleStep: failed,
    messageNumber: messageNumber + 1,
    nextAt: now + delay,
    needsMessage: !isOrdered,
  };
}

/**
 * A delivery in the order of its emitter takes no step when its receiver fails. It waits as for a probe; one that was a
 * probe is due when the breaker closes.
 */
function afterReceiverFailure(
  { scheduleStep, messageNumber, failingSince }: Progress,
  { cause, attempt, retrySeconds, retryAfterMs, now }: AttemptResult,
): Progress & { needsMessage: boolean } {
  const since = failingSince ?? attempt.at;
  if (now - since >= LONGEST_FAILURE_MS) return ended({ scheduleStep, messageNumber }, 'failed');
  const timedOut = attempt.outcome === 'timed_out';
  const failure = { attempt: scheduleStep + 1, retrySeconds, status: attempt.status, timedOut, retryAfterMs };
  const leastDelay = leastDelayAfter(failure);
  return {
    status: 'retrying',
    notBefore: leastDelay > 0 ? now + leastDelay : undefined,
    scheduleStep,
    messageNumber,
    failingSince: since,
    nextAt: now + Math.max(cause === 'probe' ? 0 : pauseAfter(now - since), leastDelay),
    needsMessage: false,
  };
}

/** Whether no attempt will come by itself, nor after the webhook is active again. */
export const isEnded = ({ status }: Pick<Progress, 'status'>): boolean =>
  status === 'delivered' || status === 'failed' || status === 'discarded';

const ended = (kept: { scheduleStep: number; messageNumber: number }, status: DeliveryStatus) => ({
  ...kept,
  status,
  nextAt: undefined,
  notBefore: undefined,
  failingSince: undefined,
  needsMessage: false,
});
