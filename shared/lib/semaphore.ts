import { Fifo } from './fifo.ts';

interface Waiting {
  count: number;
  /** Undefined once it has its permits, or has waited too long. */
  start: (() => void) | undefined;
  /** Whether it has waited for so long that it may take any free permit. */
  takesAny: boolean;
}

export interface SemaphoreOptions {
  /**
   * Waiting work gets permits that come free within this time together, unless all are free. Then it can share its
   * reads.
   */
  gatherMs?: number;
  /**
   * Work starts while fewer permits than these are taken. After `waitMs` it takes any free permits: what has them may
   * hang.
   */
  usual?: { permits: number; waitMs: number };
}

/** A semaphore that grants permits in the order of the calls. One call may take several permits. */
export function createSemaphore(permits: number, { gatherMs = 0, usual }: SemaphoreOptions = {}) {
  let taken = 0;
  let gathering: NodeJS.Timeout | undefined;
  const waiting = new Fifo<Waiting>();

  const isFree = (count: number, takesAny: boolean): boolean =>
    taken === 0 || (taken + count <= permits && (usual === undefined || taken < usual.permits || takesAny));

  function startNext(): void {
    clearTimeout(gathering);
    gathering = undefined;
    for (let next = waiting.first; next; next = waiting.first) {
      if (next.start) {
        if (!isFree(next.count, next.takesAny)) return;
        taken += next.count;
        next.start();
      }
      waiting.shift();
    }
  }

  return {
    /**
     * Waits for `count` permits. A call for more permits than there are waits until all are free. Returns false, and
     * takes none, when the permits were not free within the time.
     */
    async acquire(count: number, withinMs: number): Promise<boolean> {
      if (waiting.length === 0 && isFree(count, false)) {
        taken += count;
        return true;
      }
      return new Promise((resolve) => {
        const impatience =
          usual &&
          setTimeout(() => {
            own.takesAny = true;
            startNext();
          }, usual.waitMs);
        const end = (isAcquired: boolean): void => {
          clearTimeout(impatience);
          clearTimeout(timer);
          own.start = undefined;
          resolve(isAcquired);
        };
        const timer = setTimeout(() => {
          end(false);
          // Smaller work may fit where this one did not.
          startNext();
        }, withinMs);
        const own: Waiting = {
          count,
          takesAny: false,
          start() {
            end(true);
          },
        };
        waiting.push(own);
      });
    },

    release(count: number): void {
      taken -= count;
      if (gatherMs === 0 || taken === 0) startNext();
      else if (waiting.length > 0) gathering ??= setTimeout(startNext, gatherMs);
    },
  };
}
