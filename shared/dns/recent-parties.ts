import { HOUR_MS } from '../lib/durations.ts';
import { TtlCache } from '../lib/ttl-cache.ts';

/** A party without a lookup for this time leaves its part to the others. */
const RECENT_MS = HOUR_MS;
const MAX_OWNERS = 10_000;

interface Parties {
  /** The party that was noted last, and the last one of all others with its time. */
  last: string;
  at: number;
  other?: number | undefined;
}

/** Knows which owners had lookups of more than one party. It keeps two of them, however many there are. */
export class RecentParties {
  readonly #now: () => number;
  readonly #owners: TtlCache<string, Parties>;

  constructor(now: () => number) {
    this.#now = now;
    this.#owners = new TtlCache({ ttlMs: RECENT_MS, maxEntries: MAX_OWNERS, now });
  }

  /** Notes a lookup. */
  note(owner: string, party: string): void {
    const at = this.#now();
    const { last, at: lastAt, other } = this.#owners.get(owner) ?? { last: party, at };
    this.#owners.set(owner, { last: party, at, other: last === party ? other : lastAt });
  }

  /** Whether no other party of the owner had a lookup within the last hour. */
  isOnly(owner: string, party: string): boolean {
    const known = this.#owners.get(owner);
    const otherAt = known?.last === party ? known.other : known?.at;
    return otherAt === undefined || this.#now() - otherAt >= RECENT_MS;
  }
}
