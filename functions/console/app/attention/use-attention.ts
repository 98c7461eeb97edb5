import { type QueryClient, useQuery } from '@tanstack/preact-query';
import { everyPage } from '../api/list-pages.ts';
import type { Account, Page } from '../api/wire.ts';
import { accountProblem, byWeight, type Problem, sourceProblem, webhookProblem } from './problem-of.ts';
import { failedSources, failingWebhooks, holdingWebhooks } from './troubled.ts';

export interface Attention {
  /** The worst first. */
  problems: readonly Problem[];
  /** Webhooks and sources with problems that are not among them: a request reads 100. */
  unread: { webhooks: number; sources: number };
}

/** The problems of sources, webhooks and accounts. */
async function readAttention(queries: QueryClient): Promise<Attention> {
  const now = Date.now();
  const [failing, holding, sources, accounts] = await Promise.all([
    failingWebhooks(queries),
    holdingWebhooks(queries),
    failedSources(queries, now),
    everyPage<Account>('/users/me/accounts'),
  ]);
  // A webhook that was switched on and fails again is in both.
  const webhooks = new Map([...holding.data, ...failing.data].map((webhook) => [webhook.id, webhook]));
  return {
    problems: [
      ...[...webhooks.values()].flatMap((webhook) => webhookProblem(webhook) ?? []),
      ...accounts.flatMap((account) => accountProblem(account) ?? []),
      ...sources.data.flatMap((source) => sourceProblem(source, now) ?? []),
    ].sort(byWeight),
    unread: { webhooks: unreadOf(failing), sources: unreadOf(sources) },
  };
}

export const unreadOf = ({ page_info: { total_count: total }, data }: Page<unknown>): number => total - data.length;

/** The problems, read once for all that show them. */
export const useAttention = (pollMs: number | false, enabled = true) =>
  useQuery({
    queryKey: ['problems'],
    queryFn: ({ client }) => readAttention(client),
    refetchInterval: pollMs,
    staleTime: 10_000,
    enabled,
  });
