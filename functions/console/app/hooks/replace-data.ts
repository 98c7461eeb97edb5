import type { QueryClient, QueryKey } from '@tanstack/preact-query';

/** Shows what an update gave. A read that began before the update must not replace it. */
export async function replaceData(queries: QueryClient, queryKey: QueryKey, data: unknown): Promise<void> {
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, data);
}
