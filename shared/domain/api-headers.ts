/** Headers of every response of the API: they belong to one caller, and are what their type says. */
export const API_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
