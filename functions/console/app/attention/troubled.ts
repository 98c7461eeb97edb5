import type { QueryClient } from '@tanstack/preact-query';
import { MAX_PAGE_ITEMS } from '../api/list-pages.ts';
import { request } from '../api/request.ts';
import type { Page, SourceItem, WebhookItem } from '../api/wire.ts';
import { RECENT_MS } from './problem-of.ts';

/* Lists that the service filters: one request each, whatever a user has. They are read once for all that show them. */

const FRESH_MS = 10_000;

const firstPage = <Item>(queries: QueryClient, path: string, filter: Readonly<Record<string, string>> = {}) =>
  queries.fetchQuery({
    queryKey: ['first-page', path, filter],
    queryFn: () => request<Page<Item>>('GET', path, { query: { ...filter, limit: MAX_PAGE_ITEMS } }),
    staleTime: FRESH_MS,
  });

const webhooks = (queries: QueryClient, filter?: Readonly<Record<string, string>>): Promise<Page<WebhookItem>> =>
  firstPage(queries, '/users/me/webhooks', filter);

export const newestWebhooks = (queries: QueryClient) => webhooks(queries);
export const failingWebhooks = (queries: QueryClient) => webhooks(queries, { health: 'off,failing' });
/** Webhooks that work or are off on purpose, and may hold deliveries. */
export const holdingWebhooks = (queries: QueryClient) => webhooks(queries, { health: 'disabled,switched_on' });

/** The time is a whole minute, so that those that ask at the same time share a read. */
export const failedSources = (queries: QueryClient, now: number): Promise<Page<SourceItem>> =>
  firstPage(queries, '/users/me/sources', { failed_since: String(Math.floor((now - RECENT_MS) / 60_000) * 60_000) });
