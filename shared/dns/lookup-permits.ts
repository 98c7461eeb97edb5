import { KeyedPermits } from '../lib/limiter.ts';

/** Lookups of one owner at a time, and those of them in one zone; more wait. */
const OWNER_LOOKUPS = 32;
const ZONE_LOOKUPS = 8;

interface Lookup {
  readonly owner: string;
  readonly zone: string;
  start(): void;
}

/**
 * Permits for lookups. Names that do not answer take the permits of one owner in one zone, so the owner's other names go on, and those of
 * other owners notice nothing.
 */
export class LookupPermits {
  readonly #owners = new KeyedPermits<Lookup>(OWNER_LOOKUPS, (lookup) => {
    lookup.start();
  });
  readonly #zones = new KeyedPermits<Lookup>(ZONE_LOOKUPS, (lookup) => {
    this.#owners.add(lookup.owner, lookup);
  });

  /** Resolves with the function that gives the permit back. */
  take(owner: string, zone: string): Promise<() => void> {
    // An owner has no space in it.
    const key = `${owner} ${zone}`;
    return new Promise((resolve) => {
      const release = () => {
        this.#owners.release(owner);
        this.#zones.release(key);
      };
      this.#zones.add(key, {
        owner,
        zone,
        start: () => {
          resolve(release);
        },
      });
    });
  }
}

/** The last two labels, the zone that an owner of names has as a rule. The rule is per owner, so a public suffix is no problem. */
export const zoneOf = (name: string): string => name.split('.').slice(-2).join('.');
