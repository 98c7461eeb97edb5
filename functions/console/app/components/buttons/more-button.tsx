interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page of a list. */
export const MoreButton = ({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { query: Pages }) =>
  hasNextPage ? (
    <div class="actions">
      <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
    </div>
  ) : null;
