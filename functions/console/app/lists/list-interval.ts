interface Pages {
  state: { data: { pages: readonly unknown[] } | undefined };
}

/**
 * The `refetchInterval` of a list in pages: each refetch reads all pages that are shown, so that it comes less often
 * for many.
 */
export const listInterval =
  (interval: number | false) =>
  ({ state: { data } }: Pages): number | false =>
    interval && interval * Math.max(data?.pages.length ?? 1, 1);

/** The `staleTime` of such a list: a focus of the window reads nothing sooner, and nothing while the list is paused. */
export const listStaleTime = (interval: number | false) => (list: Pages) => listInterval(interval)(list) || Infinity;
