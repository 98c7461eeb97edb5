import { FairPermits } from '../lib/sharing/fair-permits.ts';
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
class RecentParties {
  readonly #now: () => number;
  readonly #owners: TtlCache<string, Parties>;

  constructor(now: () => number) {
    this.#now = now;
    this.#owners = new TtlCache({ ttlMs: RECENT_MS, maxEntries: MAX_OWNERS, now });
  }

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

/** Lookups of one owner at a time, and those of them in one zone; more wait. */
const OWNER_LOOKUPS = 32;
const ZONE_LOOKUPS = 8;

/** The owner of a lookup, and the part of what the owner has that makes it, such as a source. */
export interface LookupParty {
  readonly owner: string;
  readonly party: string;
}

/**
 * Permits for lookups. Names that do not answer take the permits of one owner in one zone, so the owner's other names
 * go on, and those of other owners notice nothing. The parties of an owner share its permits.
 */
export class LookupPermits {
  readonly #owners = new Map<string, FairPermits>();
  readonly #zones = new Map<string, FairPermits>();
  readonly #parties = new RecentParties(() => performance.now());

  /** Resolves with the function that gives the permit back. */
  async take({ owner, party }: LookupParty, zone: string): Promise<() => void> {
    const parties = this.#parties;
    parties.note(owner, party);
    // An owner has no space in it.
    const layers = [
      { permits: this.#zones, key: `${owner} ${zone}`, limit: ZONE_LOOKUPS },
      { permits: this.#owners, key: owner, limit: OWNER_LOOKUPS },
    ];
    const releases: (() => void)[] = [];
    for (const { permits, key, limit } of layers) {
      const own = permits.get(key) ?? new FairPermits(limit);
      permits.set(key, own);
      await new Promise<void>((resolve) => {
        own.add({
          party,
          // Another party may come while this lookup waits.
          get isOnlyParty() {
            return parties.isOnly(owner, party);
          },
          start: resolve,
        });
      });
      releases.push(() => {
        own.release(party);
        if (own.isIdle) permits.delete(key);
      });
    }
    return () => {
      for (const release of releases) release();
    };
  }
}

/**
 * The last two labels, the zone that an owner of names has as a rule. The rule is per owner, so a public suffix is no
 * problem.
 */
export const zoneOf = (name: string): string => name.split('.').slice(-2).join('.');
