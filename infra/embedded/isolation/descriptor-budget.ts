import { readFileSync } from 'node:fs';

/** Descriptors that the spawner needs for itself. */
const RESERVED = 256;
/** Descriptors of one process: its pipes, and the directory and the two sockets of its gateway. */
const OF_A_PROCESS = 8;
const FALLBACK_LIMIT = 1_024;

/** Descriptors that the gateways of all processes may use, within the limit of this process for open files. */
export function gatewayDescriptors(processes: number, limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  const limit = soft === 'unlimited' ? Infinity : Number(soft ?? FALLBACK_LIMIT);
  return Math.max(limit - RESERVED - processes * OF_A_PROCESS, 64);
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Gives descriptors to owners. An owner gets no more than its limit, and never more than are still free: however many
 * owners take what they can, some are left for the next one.
 */
export class DescriptorBudget {
  readonly #perOwner: number;
  readonly #used = new Map<string, number>();
  #free: number;

  constructor(total: number, perOwner: number) {
    this.#free = total;
    this.#perOwner = perOwner;
  }

  /** The function that gives a descriptor back, to be called once. Undefined if the owner gets none. */
  take(owner: string): (() => void) | undefined {
    const used = this.#used.get(owner) ?? 0;
    if (used >= this.#perOwner || used >= this.#free) return undefined;
    this.#used.set(owner, used + 1);
    this.#free -= 1;
    return () => {
      this.#free += 1;
      const left = (this.#used.get(owner) ?? 1) - 1;
      if (left === 0) this.#used.delete(owner);
      else this.#used.set(owner, left);
    };
  }
}
