import type { QueryClient } from '@tanstack/preact-query';
import { everyPage, MAX_PAGE_ITEMS } from './list-pages.ts';
import type { SourceItem, WebhookItem } from './wire.ts';

const FRESH_MS = 10_000;
/** The time for each page between two reads: 20 requests a minute. */
const PAGE_MS = 3_000;

/** All items of a list, read once for everything that needs them, and less often for many. */
const wholeList = <Item>(queries: QueryClient, path: string): Promise<Item[]> =>
  queries.fetchQuery<Item[]>({
    queryKey: ['whole-list', path],
    queryFn: () => everyPage<Item>(path),
    staleTime: ({ state: { data = [] } }) => Math.max(FRESH_MS, Math.ceil(data.length / MAX_PAGE_ITEMS) * PAGE_MS),
  });

export const allSources = (queries: QueryClient) => wholeList<SourceItem>(queries, '/users/me/sources');

export const allWebhooks = (queries: QueryClient) => wholeList<WebhookItem>(queries, '/users/me/webhooks');
