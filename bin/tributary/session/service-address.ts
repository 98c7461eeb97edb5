import { usageFailure } from '../failures.ts';

/** Base of the API, ending in `/v1`, of an address with or without it. */
export function apiBase(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\/[^/]/i.test(text))
    throw usageFailure(`${from} must be an address such as http://localhost:3000, not ${text}.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw usageFailure(`${from} must be an address without user, password, query and fragment.`);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  return `${url.origin}${path}/v1`;
}

/** Whether a base is served by this machine. */
export function isThisMachine(base: string): boolean {
  const { hostname } = new URL(base);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
