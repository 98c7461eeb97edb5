import { LONGEST_PAUSE_MS } from './access-token.ts';
import type { OAuthGrant } from '../account/grant.ts';
import type { Tokens } from './tokens.ts';

/** Pause after the first renewal that fails for a passing reason; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 10_000;

/** `expiring` and `needs_reconnect`: there is no new token, and the account has this status. */
export type RenewalOutcome = 'renewed' | 'expiring' | 'needs_reconnect';

/** The grant after a token response; the renewal's refresh token is sealed by the caller. */
export function renewedGrant(
  grant: OAuthGrant,
  { scopes, expiresInMs, fields }: Tokens,
  { now, renewal }: { now: number; renewal: OAuthGrant['renewal'] },
): OAuthGrant {
  const { client, clientId, uid, parameters, connectedAt, providedFields, renewedAt, expiresAt } = grant;
  // A provider that does not repeat the lifetime has not changed it.
  const lifetimeMs = expiresInMs ?? (expiresAt === undefined ? undefined : expiresAt - renewedAt);
  return {
    client,
    clientId,
    ...(uid === undefined ? {} : { uid }),
    scopes: [...(scopes ?? grant.scopes)],
    parameters,
    providedFields: [...new Set([...providedFields, ...Object.keys(fields)])].sort(),
    status: 'connected',
    connectedAt,
    renewedAt: now,
    ...(lifetimeMs === undefined ? {} : { expiresAt: now + lifetimeMs }),
    ...(renewal === undefined ? {} : { renewal }),
    ...(grant.isRefused === true ? { refusalRenewedAt: now } : keptRefusal(grant)),
  };
}

const keptRefusal = ({ refusalRenewedAt }: OAuthGrant) => (refusalRenewedAt === undefined ? {} : { refusalRenewedAt });

/** The grant after a renewal that may succeed later. */
export function postponedGrant(
  grant: OAuthGrant,
  { reason, retryAfterMs = 0, now }: { reason: string; retryAfterMs?: number | undefined; now: number },
): OAuthGrant {
  const failures = (grant.failures ?? 0) + 1;
  const { lease: _lease, ...kept } = grant;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
  return {
    ...kept,
    status: 'expiring',
    statusReason: reason,
    failures,
    retryAt: now + Math.max(pauseMs, Math.min(retryAfterMs, LONGEST_PAUSE_MS)),
  };
}

/** The grant of an account that only a new sign-in can mend. */
export function endedGrant(grant: OAuthGrant, reason: string): OAuthGrant {
  const { lease: _lease, renewal: _renewal, ...kept } = grant;
  return { ...kept, status: 'needs_reconnect', statusReason: reason };
}
