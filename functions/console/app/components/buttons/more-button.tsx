import { useReached } from '../../hooks/use-reached.ts';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  /** The last try failed: the next one waits for a click. */
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

interface MoreButtonProps {
  query: Pages;
  /**
   * Whether the next page is loaded when a person scrolls to the end of the list. The button does the same for the
   * keyboard.
   */
  isAutomatic?: boolean;
}

/** Loads the next page of a list. */
export function MoreButton({ query, isAutomatic = true }: MoreButtonProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isReady = hasNextPage && !isFetchingNextPage;
  const end = useReached<HTMLDivElement>(isReady && isAutomatic && !isFetchNextPageError, fetchNextPage);
  if (!hasNextPage) return null;
  return (
    <div class="actions" ref={end}>
      {/* A button that is disabled loses the focus. */}
      <button type="button" aria-disabled={!isReady} onClick={() => isReady && void fetchNextPage()}>
        {isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
      <span class="hidden-text" role="status">
        {isFetchingNextPage ? 'Loading more rows' : ''}
      </span>
    </div>
  );
}
