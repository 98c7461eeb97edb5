import { request } from './request.ts';
import type { Page } from './wire.ts';

/** The number of things of each kind. That of subscriptions would need their whole list. */
export interface Totals {
  sources: number;
  webhooks: number;
  components: number;
}

/** `total_count` of a paginated list. */
async function countOf(path: string): Promise<number> {
  const { page_info: info } = await request<Page<unknown>>('GET', path, { query: { limit: 1 } });
  return info.total_count;
}

export async function readTotals(): Promise<Totals> {
  const [sources, webhooks, components] = await Promise.all([
    countOf('/users/me/sources'),
    countOf('/users/me/webhooks'),
    countOf('/users/me/components'),
  ]);
  return { sources, webhooks, components };
}
