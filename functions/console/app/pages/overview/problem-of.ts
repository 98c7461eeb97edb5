import { stateText } from '../../accounts/status-text.ts';
import type { Account, SourceItem, WebhookItem } from '../../api/wire.ts';

export interface Problem {
  href: string;
  name: string;
  /** The problem, before its time: `500`. */
  text: string;
  /** Whether the problem goes on since its time, or happened then. */
  relation: 'since' | 'at';
  /** Epoch ms; null if it is not known. */
  ms: number | null;
  /** The deliveries that wait or are held. */
  deliveries?: { count: number; isLeast?: boolean; state: 'waiting' | 'held' } | undefined;
  reason?: string | undefined;
  /** The webhook whose waiting deliveries are to be counted. */
  webhookId?: string;
}

/** Errors are listed for this long. */
const RECENT_MS = 24 * 3_600_000;

/** The problem of a source: it is off because a hook failed, or a run failed in the last 24 hours. */
export function sourceProblem(
  { id, name, state, last_error_ms: errorMs }: SourceItem,
  now: number,
): Problem | undefined {
  const href = `/console/sources/${id}`;
  if (state === 'failed') return { href, name, text: 'Off: a hook failed', relation: 'at', ms: errorMs };
  if (errorMs === null || errorMs < now - RECENT_MS) return undefined;
  return { href: `${href}?stream=%24errors`, name, text: 'A run failed', relation: 'at', ms: errorMs };
}

/** The problem of a webhook: it is off, fails, or holds deliveries. */
export function webhookProblem(webhook: WebhookItem): Problem | undefined {
  const { id, url, failing_since_ms: ms, disabled_reason: reason, last_attempt: last } = webhook;
  const held = webhook.held_count;
  const problem = {
    href: `/console/webhooks/${id}`,
    name: webhook.name ?? url,
    relation: 'since' as const,
    ms,
  };
  const deliveries = held === 0 ? undefined : { count: held, state: 'held' as const };
  if (reason === 'gone')
    return {
      ...problem,
      text: 'Off: it answered 410 Gone',
      relation: 'at',
      ms: last?.at_ms ?? ms,
      deliveries,
    };
  if (reason === 'failing') return { ...problem, text: 'Off: every delivery failed', deliveries };
  if (ms !== null) return { ...problem, text: failureText(last), webhookId: id };
  return deliveries === undefined ? undefined : { ...problem, text: 'Off', deliveries };
}

const OUTCOMES: Readonly<Record<string, string>> = {
  timed_out: 'No response in time',
  unreachable: 'Unreachable',
  blocked: 'Its address is not allowed',
};

function failureText(last: WebhookItem['last_attempt']): string {
  // Several attempts are under way: the newest one may have succeeded.
  if (last === null || last.outcome === 'delivered') return 'Its deliveries fail';
  return last.status === null ? (OUTCOMES[last.outcome] ?? 'Its deliveries fail') : String(last.status);
}

/** The problem of an account that is not connected. */
export function accountProblem(account: Account): Problem | undefined {
  const { id, name, app, status, status_reason: reason, renewed_at_ms: renewedMs } = account;
  if (status === 'connected') return undefined;
  return {
    href: `/console/accounts?q=${id}`,
    name: name === app ? name : `${name} (${app})`,
    text: `${stateText(account)}, last renewed`,
    relation: 'at',
    ms: renewedMs,
    reason: reason ?? undefined,
  };
}
