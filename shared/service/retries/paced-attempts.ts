import { type RateLimited, reserveRate, waitForRate } from '../delivery/rate-slot.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';

export const FIRST_PACE = 10;
export const LARGEST_PACE = 80;

/** Attempts of one webhook that a worker makes at once. It grows while they succeed: a webhook that fails gets few. */
export class Pace {
  #size = FIRST_PACE;

  get size(): number {
    return this.#size;
  }

  after(hasFailed: boolean): void {
    this.#size = hasFailed ? FIRST_PACE : Math.min(this.#size * 2, LARGEST_PACE);
  }
}

interface PacedOptions<Item> extends Pick<DeliveryServices, 'slots' | 'now'> {
  target: RateLimited;
  items: readonly Item[];
  make(item: Item): Promise<void>;
}

/** Longest wait of the items for their slots. */
const HORIZON_MS = 2_000;

/**
 * Makes the attempts of the items, each at the time that the rate limit gives it. Returns those whose attempts were
 * made.
 */
export async function pacedAttempts<Item>({ target, items, make, ...options }: PacedOptions<Item>): Promise<Item[]> {
  const horizonMs = HORIZON_MS;
  const reserved = await reserveRate(options, target, { count: items.length, horizonMs });
  const attempted = await Promise.all(
    items.slice(0, reserved.length).map(async (item, index) => {
      const slot = reserved[index] ?? 0;
      if (!(await waitForRate(options, target, { slot, horizonMs }))) return [];
      await make(item);
      return [item];
    }),
  );
  return attempted.flat();
}
