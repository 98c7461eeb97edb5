import type { Page } from './wire.ts';

/** The cursor of the first page of a list. */
export const FIRST_PAGE: string | undefined = undefined;

/** The service counts the items of a list up to this, and lists more. */
export const LONGEST_COUNT = 1_000;

/**
 * The cursor of the page after the last one; undefined when the list has no more. The page after the last item has
 * none.
 */
export const nextCursor = (last: Page<unknown>, pages: readonly Page<unknown>[]): string | undefined => {
  const { total_count: total, end_cursor: cursor } = last.page_info;
  const read = pages.reduce((sum, { data }) => sum + data.length, 0);
  return read < total || total >= LONGEST_COUNT ? (cursor ?? undefined) : undefined;
};
