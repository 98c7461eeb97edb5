import { type QueryClient, useQuery } from '@tanstack/preact-query';
import { everyPage } from '../api/list-pages.ts';
import { allSources, allWebhooks } from '../api/whole-lists.ts';
import type { Account } from '../api/wire.ts';
import { accountProblem, byWeight, type Problem, sourceProblem, webhookProblem } from './problem-of.ts';

interface Attention {
  /** The worst first. */
  problems: readonly Problem[];
  /** Whether there is neither a source nor a webhook yet. */
  isNew: boolean;
}

/** The problems of sources, webhooks and accounts. */
async function readAttention(queries: QueryClient): Promise<Attention> {
  const [sources, webhooks, accounts] = await Promise.all([
    allSources(queries),
    allWebhooks(queries),
    everyPage<Account>('/users/me/accounts'),
  ]);
  const now = Date.now();
  return {
    problems: [
      ...webhooks.flatMap((webhook) => webhookProblem(webhook) ?? []),
      ...accounts.flatMap((account) => accountProblem(account) ?? []),
      ...sources.flatMap((source) => sourceProblem(source, now) ?? []),
    ].sort(byWeight),
    isNew: sources.length === 0 && webhooks.length === 0,
  };
}

/** The problems, read once for all that show them. */
export const useAttention = (pollMs: number | false, enabled = true) =>
  useQuery({
    queryKey: ['problems'],
    queryFn: ({ client }) => readAttention(client),
    refetchInterval: pollMs,
    staleTime: 10_000,
    enabled,
  });
