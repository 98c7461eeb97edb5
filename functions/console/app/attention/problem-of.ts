import { stateText } from '../accounts/status-text.ts';
import { webhookName } from '../api/webhook-name.ts';
import type { Account, SourceItem, WebhookItem } from '../api/wire.ts';

/** The worst comes first: nothing is delivered, nothing runs, single runs fail. */
const WEIGHTS = ['webhook', 'account', 'source', 'runs'] as const;

export interface Problem {
  kind: (typeof WEIGHTS)[number];
  href: string;
  name: string;
  /** The problem, before its time: `500`. */
  text: string;
  /** How the time belongs to the problem. */
  relation: 'since' | 'at' | 'last';
  /** Epoch ms; null if it is not known. */
  ms: number | null;
  /** The deliveries that are held. */
  held?: number | undefined;
  reason?: string | undefined;
  /** The webhook whose waiting deliveries are to be counted. */
  webhookId?: string;
  /** The source whose failed runs are to be counted. */
  sourceId?: string;
}

/** Errors are listed for this long. */
export const RECENT_MS = 24 * 3_600_000;
/** The name of a filter beside the states of sources: one with errors is often active. */
export const RECENT_ERRORS = 'errors in 24 h';

/** By weight; problems of one kind with held deliveries first, then newest first. */
export const byWeight = (a: Problem, b: Problem): number =>
  WEIGHTS.indexOf(a.kind) - WEIGHTS.indexOf(b.kind) || (b.held ?? 0) - (a.held ?? 0) || (b.ms ?? 0) - (a.ms ?? 0);

export const hasRecentErrors = ({ last_error_ms: ms }: Pick<SourceItem, 'last_error_ms'>, now: number): boolean =>
  ms !== null && ms >= now - RECENT_MS;

/** The problem of a source: it is off because a hook failed, or runs failed in the last 24 hours. */
export function sourceProblem(source: SourceItem, now: number): Problem | undefined {
  const { id, name, state, last_error_ms: errorMs } = source;
  const href = `/console/sources/${id}`;
  if (state === 'failed')
    return { kind: 'source', href, name, text: 'Off: a hook failed', relation: 'at', ms: errorMs };
  if (!hasRecentErrors(source, now)) return undefined;
  const errors = `${href}?stream=%24errors`;
  return { kind: 'runs', href: errors, name, text: 'Runs failed', relation: 'last', ms: errorMs, sourceId: id };
}

/** The problem of a webhook: it is off, fails, or holds deliveries. */
export function webhookProblem(webhook: WebhookItem): Problem | undefined {
  const { id, failing_since_ms: ms, disabled_reason: reason, last_attempt: last } = webhook;
  const held = webhook.held_count === 0 ? undefined : webhook.held_count;
  const problem = {
    kind: 'webhook' as const,
    href: `/console/webhooks/${id}`,
    name: webhookName(webhook),
    relation: 'since' as const,
    ms,
  };
  if (reason === 'gone')
    return { ...problem, text: 'Off: it answered 410 Gone', relation: 'at', ms: last?.at_ms ?? ms, held };
  if (reason === 'failing') return { ...problem, text: 'Off: every delivery failed', held };
  if (ms !== null) return { ...problem, text: failureText(last), webhookId: id };
  if (held === undefined) return undefined;
  return { ...problem, text: webhook.active ? 'Holds deliveries of the time when it was off' : 'Off', held };
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
    kind: 'account',
    href: `/console/accounts?q=${id}`,
    name: name === app ? name : `${name} (${app})`,
    text: `${stateText(account)}, last renewed`,
    relation: 'at',
    ms: renewedMs,
    reason: reason ?? undefined,
  };
}

/** The sections of the navigation with a problem, by their addresses. Failed runs are ordinary. */
export const sectionsOf = (problems: readonly Problem[]): ReadonlySet<string> =>
  new Set(problems.filter(({ kind }) => kind !== 'runs').map(({ kind }) => `/console/${kind}s`));
