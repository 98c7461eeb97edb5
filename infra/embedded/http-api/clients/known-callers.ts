import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { TtlCache } from '../../../../shared/lib/ttl-cache.ts';
import type { ApiName } from '../../template/api-names.ts';
import { isBelowV1 } from '../paths.ts';

/** The functions look a key up again after this time, too. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 10_000;

/** Longest address of an endpoint that is kept as it is: a hash takes 5 µs of each request. */
const SHORT = 100;
/** A header with a secret has a space, as in `Bearer key`; an address has none. */
const SPACE = ' ';

/**
 * Callers that a function accepted lately: addresses of endpoints, and hashes of API keys and of credentials of
 * workflows.
 */
export class KnownCallers {
  readonly #known: TtlCache<string, true>;

  constructor(now: () => number = Date.now) {
    this.#known = new TtlCache({ ttlMs: KNOWN_MS, maxEntries: MAX_KNOWN, now });
  }

  has(proof: string): boolean {
    return this.#known.get(keyOf(proof)) === true;
  }

  add(proof: string): void {
    this.#known.set(keyOf(proof), true);
  }
}

const keyOf = (proof: string) =>
  proof.length > SHORT || proof.includes(SPACE) ? hash('sha256', proof, 'base64') : proof;

/** The credential of a request; undefined where nothing is asked for. */
export function proofOf(
  name: ApiName,
  path: string,
  { authorization = '', host = '' }: IncomingHttpHeaders,
): string | undefined {
  if (name === 'api') return isBelowV1(path) && authorization !== '' ? authorization : undefined;
  const [, first = '', second = ''] = path.split('/', 3);
  return first === 'workflows' ? `${host}/${first}/${second} ${authorization}` : `${host}/${first}`;
}
