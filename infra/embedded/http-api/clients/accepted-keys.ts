import { createHash } from 'node:crypto';
import { TtlCache } from '../../../../shared/lib/ttl-cache.ts';

/** The API looks a key up again after this time, too. */
const ACCEPTED_MS = 60_000;
const MAX_ACCEPTED = 10_000;

/** Texts of `Authorization` with which the API answered lately, as hashes. */
export class AcceptedKeys {
  readonly #hashes: TtlCache<string, true>;

  constructor(now: () => number = Date.now) {
    this.#hashes = new TtlCache({ ttlMs: ACCEPTED_MS, maxEntries: MAX_ACCEPTED, now });
  }

  has(authorization: string): boolean {
    return this.#hashes.get(hashOf(authorization)) === true;
  }

  add(authorization: string): void {
    this.#hashes.set(hashOf(authorization), true);
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
