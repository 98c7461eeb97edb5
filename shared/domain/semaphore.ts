/** Places for work of different sizes, given in the order of the calls. */
export interface Semaphore {
  /** Waits for `count` places; more than all are given when all are free. False, and none taken, when they were not free within the time. */
  acquire(count: number, withinMs: number): Promise<boolean>;
  release(count: number): void;
}

interface Waiting {
  count: number;
  /** Undefined once it has its places, or has waited too long. */
  start: (() => void) | undefined;
}

/** The list of waiting work is copied when so many at its front have ended. */
const MAX_ENDED = 1_000;

export function createSemaphore(places: number): Semaphore {
  let taken = 0;
  /** The next one is at `head`: removing it from the front of a long array would move all others. */
  let waiting: Waiting[] = [];
  let head = 0;

  const isFree = (count: number): boolean => taken === 0 || taken + count <= places;

  function startNext(): void {
    for (let next = waiting[head]; next; next = waiting[head]) {
      if (next.start) {
        if (!isFree(next.count)) return;
        taken += next.count;
        next.start();
      }
      head += 1;
      if (head === MAX_ENDED) {
        waiting = waiting.slice(head);
        head = 0;
      }
    }
  }

  return {
    async acquire(count, withinMs) {
      if (head === waiting.length && isFree(count)) {
        taken += count;
        return true;
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          own.start = undefined;
          resolve(false);
          // Smaller work may fit where this one did not.
          startNext();
        }, withinMs);
        const own: Waiting = {
          count,
          start() {
            clearTimeout(timer);
            own.start = undefined;
            resolve(true);
          },
        };
        waiting.push(own);
      });
    },

    release(count) {
      taken -= count;
      startNext();
    },
  };
}
