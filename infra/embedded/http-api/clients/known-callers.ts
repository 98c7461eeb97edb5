import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { TtlCache } from '../../../../shared/lib/ttl-cache.ts';
import type { ApiName } from '../../template/api-names.ts';
import { isBelowV1 } from '../paths.ts';

/** The functions look a key up again after this time, too. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 10_000;

/** Hashes of credentials that a function accepted lately: keys of the API, endpoints, credentials of workflows. */
export class KnownCallers {
  readonly #hashes: TtlCache<string, true>;

  constructor(now: () => number = Date.now) {
    this.#hashes = new TtlCache({ ttlMs: KNOWN_MS, maxEntries: MAX_KNOWN, now });
  }

  has(proof: string): boolean {
    return this.#hashes.get(hashOf(proof)) === true;
  }

  add(proof: string): void {
    this.#hashes.set(hashOf(proof), true);
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

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
