import type { QueryClient } from '@tanstack/query-core';

/**
 * Marks every read as stale after a write. A read in flight may not have seen the write: it is marked when it ends. The
 * page that changed something reads again what it shows; other pages do it when they are opened.
 */
export function markStale(queries: QueryClient): void {
  void queries.invalidateQueries({ refetchType: 'none' });
  for (const query of queries.getQueryCache().findAll({ fetchStatus: 'fetching' })) {
    const mark = (): void => query.invalidate();
    void query.promise?.then(mark, mark);
  }
}
