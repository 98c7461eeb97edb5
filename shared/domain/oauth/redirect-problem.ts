import type { ProviderEntry } from './provider.ts';

const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

/**
 * Why a provider refuses redirect addresses of this origin, as far as its entry tells; undefined for a provider without
 * an entry.
 */
export function redirectProblem(entry: ProviderEntry | undefined, origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  if (entry === undefined || protocol === 'https:') return undefined;
  const { loopback, localhost } = entry.redirect;
  if (LOOPBACK.has(hostname) && loopback !== 'no') return undefined;
  if (hostname === 'localhost' && localhost !== 'no') return undefined;
  return `${entry.title} takes no redirect address at ${origin}: set PUBLIC_API_URL to an https address`;
}
