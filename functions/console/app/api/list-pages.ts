import { request } from './request.ts';
import type { Page } from './wire.ts';

/** Items of a page of a list that a person reads. */
export const PAGE_ITEMS = 50;
/** The most that the API gives in one response. */
export const MAX_PAGE_ITEMS = 100;

/** All items of a list of sources, webhooks, workflows or accounts, page by page. The limits of the user bound it. */
export async function everyPage<Item>(path: string, filter: Readonly<Record<string, string>> = {}): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  for (;;) {
    const page: Page<Item> = await request('GET', path, {
      query: { ...filter, limit: MAX_PAGE_ITEMS, after },
    });
    items.push(...page.data);
    if (page.page_info.end_cursor === null || items.length >= page.page_info.total_count) return items;
    after = page.page_info.end_cursor;
  }
}
