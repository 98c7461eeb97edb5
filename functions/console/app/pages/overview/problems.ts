import { statusText } from '../../accounts/status-text.ts';
import { everyPage } from '../../api/list-pages.ts';
import type { Account, SourceItem, WebhookItem } from '../../api/wire.ts';
import { countText } from '../../locale.ts';

export interface Problem {
  href: string;
  name: string;
  text: string;
  /** Time of its beginning or of its last occurrence. */
  ms: number;
}

/** Errors are listed for this long. */
const RECENT_MS = 24 * 3_600_000;

/** The problems of sources, webhooks and accounts, newest first. */
export async function readProblems(): Promise<Problem[]> {
  const [sources, webhooks, accounts] = await Promise.all([
    everyPage<SourceItem>('/users/me/sources'),
    everyPage<WebhookItem>('/users/me/webhooks'),
    everyPage<Account>('/users/me/accounts'),
  ]);
  const since = Date.now() - RECENT_MS;
  return [
    ...sources.flatMap((source) => sourceProblem(source, since) ?? []),
    ...webhooks.flatMap((webhook) => webhookProblem(webhook) ?? []),
    ...accounts.filter(({ status }) => status !== 'connected').map(accountProblem),
  ].sort((a, b) => b.ms - a.ms);
}

function sourceProblem(
  { id, name, state, last_error_ms: errorMs, updated_at: updatedAt }: SourceItem,
  since: number,
): Problem | undefined {
  const href = `/console/sources/${id}`;
  if (state === 'failed')
    return { href, name, text: 'A hook failed, so the source is off.', ms: errorMs ?? updatedAt * 1_000 };
  if (errorMs !== null && errorMs >= since)
    return { href: `${href}?stream=%24errors`, name, text: 'A run failed.', ms: errorMs };
  return undefined;
}

function webhookProblem(webhook: WebhookItem): Problem | undefined {
  const { id, url, failing_since_ms: failingMs, disabled_reason: reason, held_count: held } = webhook;
  const problem = { href: `/console/webhooks/${id}`, name: webhook.name ?? url };
  const ms = failingMs ?? webhook.last_attempt?.at_ms ?? webhook.updated_at * 1_000;
  if (reason === 'gone') return { ...problem, text: 'Off, because its address answered 410 Gone.', ms };
  if (reason === 'failing') return { ...problem, text: 'Off, because it failed for 5 days.', ms };
  if (failingMs !== null) return { ...problem, text: 'Its deliveries fail.', ms };
  if (held > 0) return { ...problem, text: `${countText(held)} deliveries are held.`, ms };
  return undefined;
}

function accountProblem(account: Account): Problem {
  const { id, name, app, renewed_at_ms: renewedMs, created_at: createdAt } = account;
  return {
    href: `/console/accounts?q=${id}`,
    name: name === app ? name : `${name} (${app})`,
    text: statusText(account),
    ms: renewedMs ?? createdAt * 1_000,
  };
}
