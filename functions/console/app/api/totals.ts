import { request } from './request.ts';
import type { Listed, Page } from './wire.ts';

/** The number of things of each kind. */
export interface Totals {
  sources: number;
  webhooks: number;
  components: number;
  /** Their list has no pages: it is read only while there is at most one source and one webhook. */
  hasSubscriptions: boolean;
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
  const isNew = sources <= 1 && webhooks <= 1;
  const subscriptions = isNew ? await request<Listed<unknown>>('GET', '/users/me/subscriptions') : undefined;
  return { sources, webhooks, components, hasSubscriptions: subscriptions?.data.length !== 0 };
}
