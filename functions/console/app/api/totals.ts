import { request } from './request.ts';
import type { Listed, Page } from './wire.ts';

interface Total {
  href: string;
  one: string;
  many: string;
  count: number;
}

/** `total_count` of a paginated list. */
async function countOf(path: string): Promise<number> {
  const { page_info: info } = await request<Page<unknown>>('GET', path, { query: { limit: 1 } });
  return info.total_count;
}

/** The number of sources, webhooks, subscriptions and components of the user. */
export async function readTotals(): Promise<readonly Total[]> {
  const [sources, webhooks, subscriptions, components] = await Promise.all([
    countOf('/users/me/sources'),
    countOf('/users/me/webhooks'),
    request<Listed<unknown>>('GET', '/users/me/subscriptions').then(({ data }) => data.length),
    countOf('/users/me/components'),
  ]);
  return [
    { href: '/console/sources', one: 'Source', many: 'Sources', count: sources },
    { href: '/console/webhooks', one: 'Webhook', many: 'Webhooks', count: webhooks },
    { href: '/console/subscriptions', one: 'Subscription', many: 'Subscriptions', count: subscriptions },
    { href: '/console/components', one: 'Component', many: 'Components', count: components },
  ];
}
