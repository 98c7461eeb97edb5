import { MINUTE_MS } from '../../lib/durations.ts';
import type { OAuthGrant } from '../account/grant.ts';

/** An access token outlives the time limit of the call that it is for by this. */
const MARGIN_MS = MINUTE_MS;
/** Shortest time between two renewals that a status 401 asked for. */
const REFUSAL_INTERVAL_MS = 5 * MINUTE_MS;

type Times = Pick<OAuthGrant, 'expiresAt' | 'renewedAt'>;

interface Call {
  now: number;
  /** Time limit of the call that needs the token. */
  callMs: number;
}

export const isLive = ({ expiresAt }: Times, now: number): boolean => expiresAt === undefined || expiresAt > now;

/** Whether the token lives for the call and the margin, or for half its lifetime if that is less. */
const isLongEnough = ({ expiresAt, renewedAt }: Times, { now, callMs }: Call): boolean =>
  expiresAt === undefined || expiresAt - now >= Math.min(callMs + MARGIN_MS, (expiresAt - renewedAt) / 2);

/** Whether a status 401 asks for a renewal before the next call. */
const isRefusalDue = ({ isRefused, refusalRenewedAt }: OAuthGrant, now: number): boolean =>
  isRefused === true && now - (refusalRenewedAt ?? -Infinity) >= REFUSAL_INTERVAL_MS;

/** Longest pause between renewals that fail for a passing reason. */
export const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Whether a renewal failed so recently that the next one waits. A clock that was set back does not make the pause
 * longer.
 */
export function isPostponed({ retryAt = 0 }: Pick<OAuthGrant, 'retryAt'>, now: number): boolean {
  const left = retryAt - now;
  return left > 0 && left <= LONGEST_PAUSE_MS;
}

/**
 * `usable`: the call may start. `renew`: a renewal comes first. `postponed`: it would, but one failed a moment ago; the
 * call starts if the token is live. `needs_reconnect`: only a new sign-in helps.
 */
export type TokenState = 'usable' | 'renew' | 'postponed' | 'needs_reconnect';

export function tokenState(grant: OAuthGrant, call: Call): TokenState {
  if (grant.status === 'needs_reconnect') return 'needs_reconnect';
  if (!isRenewalDue(grant, call)) return 'usable';
  return isPostponed(grant, call.now) ? 'postponed' : 'renew';
}

function isRenewalDue(grant: OAuthGrant, call: Call): boolean {
  if (isRefusalDue(grant, call.now)) return true;
  if (isLongEnough(grant, call)) return false;
  return grant.renewal !== undefined || !isLive(grant, call.now);
}
