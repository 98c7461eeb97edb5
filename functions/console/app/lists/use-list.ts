import { useInfiniteQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import { FIRST_PAGE, nextCursor } from '../api/page-cursors.ts';
import type { Page } from '../api/wire.ts';
import { listInterval, listStaleTime } from './list-interval.ts';

interface ListOptions<Item> {
  queryKey: readonly unknown[];
  read: (after: string | undefined) => Promise<Page<Item>>;
  /** Time between two reads of a page; false while it is paused. Without it, the list is not polled. */
  interval?: number | false;
  /** Whether the rows of the filter before are shown until those of another one are read. */
  isKept?: boolean;
  /** The cursor of the next page. */
  next?: typeof nextCursor;
}

/** A list that is not polled is read again at a focus after this time. */
const FRESH_MS = 5_000;

/** A list in pages. */
export function useList<Item>({ queryKey, read, interval, isKept = true, next = nextCursor }: ListOptions<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: next,
    refetchInterval: interval === undefined ? false : listInterval(interval),
    staleTime: listStaleTime(interval ?? FRESH_MS),
    placeholderData: (shown) => (isKept ? shown : undefined),
  });
  const { data } = query;
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  return { query, items, total: data?.pages[0]?.page_info.total_count ?? 0 };
}
