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

interface ListRead {
  data: { pages: readonly Page<unknown>[] } | undefined;
  /** The pages are those of the filter before. */
  isPlaceholderData: boolean;
}

/** Whether a list without a filter is known to have no items: then there is nothing to search. */
export const hasNone = ({ data, isPlaceholderData }: ListRead, filter: string): boolean =>
  filter === '' && !isPlaceholderData && data?.pages[0]?.data.length === 0;
