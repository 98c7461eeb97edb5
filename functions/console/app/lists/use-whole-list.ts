import { useEffect, useState } from 'preact/hooks';

interface PagedList {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** Reads all pages of a list, one after the other: only a whole list can be sorted. */
export function useWholeList({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: PagedList): void {
  const isReady = hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (isReady) void fetchNextPage();
  }, [isReady]);
}

const ROWS = 50;

/** The first rows of a list, and the state of a `MoreButton` that shows more of them. */
export function useShownRows<Row>(rows: readonly Row[], first = ROWS, next = (limit: number) => limit + ROWS) {
  const [limit, setLimit] = useState(first);
  return {
    shown: rows.slice(0, limit),
    more: {
      hasNextPage: rows.length > limit,
      isFetchingNextPage: false,
      isFetchNextPageError: false,
      fetchNextPage: () => setLimit(next),
    },
  };
}
