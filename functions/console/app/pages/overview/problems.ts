import { countDeliveries } from '../../api/delivery-api.ts';
import { everyPage } from '../../api/list-pages.ts';
import { LONGEST_COUNT } from '../../api/page-cursors.ts';
import type { Account, SourceItem, WebhookItem } from '../../api/wire.ts';
import { accountProblem, type Problem, sourceProblem, webhookProblem } from './problem-of.ts';

interface Attention {
  /** Newest first. */
  problems: Problem[];
  /** Whether there is neither a source nor a webhook yet. */
  isNew: boolean;
}

/** Problems that are shown: counting the deliveries of a webhook takes requests of its own. */
export const MAX_SHOWN = 10;

/** The problems of sources, webhooks and accounts. */
export async function readAttention(): Promise<Attention> {
  const [sources, webhooks, accounts] = await Promise.all([
    everyPage<SourceItem>('/users/me/sources'),
    everyPage<WebhookItem>('/users/me/webhooks'),
    everyPage<Account>('/users/me/accounts'),
  ]);
  const now = Date.now();
  const problems = [
    ...sources.flatMap((source) => sourceProblem(source, now) ?? []),
    ...webhooks.flatMap((webhook) => webhookProblem(webhook) ?? []),
    ...accounts.flatMap((account) => accountProblem(account) ?? []),
  ].sort((a, b) => (b.ms ?? 0) - (a.ms ?? 0));
  const shown = await Promise.all(problems.slice(0, MAX_SHOWN).map(withWaiting));
  return {
    problems: [...shown, ...problems.slice(MAX_SHOWN)],
    isNew: sources.length === 0 && webhooks.length === 0,
  };
}

/** Adds the number of deliveries that wait for the webhook to work again. */
async function withWaiting(problem: Problem): Promise<Problem> {
  const { webhookId } = problem;
  if (webhookId === undefined) return problem;
  const counts = await Promise.all(['pending', 'retrying'].map((status) => countDeliveries(webhookId, { status })));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  const isLeast = counts.some((count) => count >= LONGEST_COUNT);
  return waiting === 0 ? problem : { ...problem, deliveries: { count: waiting, isLeast, state: 'waiting' } };
}
