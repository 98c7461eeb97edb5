import { cut } from '../../lib/cut.ts';
import type { Attempt } from './delivery.ts';
import { MASKED } from './kept-headers.ts';

const MAX_CHARACTERS = 200;
/** A long path segment with a digit, or one with a value, may be a credential. */
const MAY_BE_SECRET = /^(?=.*\d).{16,}$|=|%3d/i;
/** Resolves addresses without an origin. */
const NO_ORIGIN = 'http://relative.invalid';

/**
 * The address that a redirect names, for its owner: without user, password, query and fragment. A path segment
 * that may be a credential is `…`. Undefined for other responses.
 */
export function redirectTarget({
  status = 0,
  headers = [],
}: Pick<Attempt, 'headers'> & { status?: number | undefined }): string | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined || location === MASKED || status < 300 || status >= 400) return undefined;
  if (!URL.canParse(location, NO_ORIGIN)) return undefined;
  const { protocol, origin, pathname } = new URL(location, NO_ORIGIN);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const path = pathname.split('/').map((segment) => (MAY_BE_SECRET.test(segment) ? '…' : segment));
  return cut(`${origin === NO_ORIGIN ? '' : origin}${path.join('/')}`, MAX_CHARACTERS);
}

/** The origin of such an address, for logs: any part of a path may be a credential. Undefined without one. */
export const redirectOrigin = (target: string | undefined): string | undefined =>
  target !== undefined && URL.canParse(target) ? new URL(target).origin : undefined;
