import { useQueryClient } from '@tanstack/preact-query';

/** Reads again what a change of an account shows in. Resolves when the lists on the page are new. */
export function useAccountsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(['accounts', 'problems'].map((list) => queries.invalidateQueries({ queryKey: [list] })));
  };
}
