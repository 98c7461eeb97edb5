import type { AttemptSummary } from './delivery.ts';

/** The statuses from 400 to 499 that say that the receiver is not set up, not reachable or overloaded. */
const ABOUT_RECEIVER: ReadonlySet<number> = new Set([401, 402, 403, 404, 407, 408, 410, 421, 423, 424, 425, 429]);

/** `event`: the receiver works and refuses this event. `receiver`: another event would have failed, too. */
export type FailureSubject = 'event' | 'receiver';

/** Decides what a failed attempt tells about. Undefined for a success. */
export function failureSubjectOf({
  outcome,
  status = 0,
}: Pick<AttemptSummary, 'outcome' | 'status'>): FailureSubject | undefined {
  if (outcome === 'delivered') return undefined;
  const isRefusal = outcome === 'rejected' && status >= 400 && status < 500;
  return isRefusal && !ABOUT_RECEIVER.has(status) ? 'event' : 'receiver';
}
