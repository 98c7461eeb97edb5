/**
 * The `refetchInterval` of a list in pages: each refetch reads all pages that are shown, so that it comes less often
 * for many.
 */
export const listInterval =
  (interval: number | false) =>
  ({ state: { data } }: { state: { data: { pages: readonly unknown[] } | undefined } }): number | false =>
    interval && interval * Math.max(data?.pages.length ?? 1, 1);
