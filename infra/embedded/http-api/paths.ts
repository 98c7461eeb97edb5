/** A request line may contain a whole URL: proxies send it. */
export const pathOf = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '') || '/';

/** The paths of the API, all of which need a key. */
export const isBelowV1 = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');
