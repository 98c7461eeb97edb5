import { request } from './request.ts';
import type { Page } from './wire.ts';

/** Items of a page of a list that a person reads. */
export const PAGE_ITEMS = 50;
/** The most that the API gives in one response. */
const MAX_PAGE_ITEMS = 100;
/** The most that a user can have of sources, of webhooks and of accounts. */
const MAX_ITEMS = 1_000;

/** All items of a list, page by page. */
export async function everyPage<Item>(
  path: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  while (items.length < MAX_ITEMS) {
    const page: Page<Item> = await request('GET', path, {
      query: { ...filter, limit: MAX_PAGE_ITEMS, after },
    });
    items.push(...page.data);
    if (page.page_info.end_cursor === null || items.length >= page.page_info.total_count) break;
    after = page.page_info.end_cursor;
  }
  return items;
}
