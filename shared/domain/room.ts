export interface Room {
  /** Whether the caller got `count` places within the time; then it gives them back. More than all places are given when all are free. */
  take(count: number, withinMs: number): Promise<boolean>;
  giveBack(count: number): void;
}

interface Waiting {
  count: number;
  /** Undefined once it has its places, or has waited too long. */
  start: (() => void) | undefined;
}

/** So many entries that are over are kept before the list is copied without them. */
const PASSED_KEPT = 1_000;

/** Places for work of different sizes, given in the order of the calls. */
export function createRoom(places: number): Room {
  let taken = 0;
  /** The next one is at `head`: removing it from the front would move or mark all others. */
  let waiting: Waiting[] = [];
  let head = 0;

  const fits = (count: number): boolean => taken === 0 || taken + count <= places;

  function startNext(): void {
    for (let next = waiting[head]; next; next = waiting[head]) {
      if (next.start) {
        if (!fits(next.count)) return;
        taken += next.count;
        next.start();
      }
      head += 1;
      if (head === PASSED_KEPT) passOver();
    }
  }

  function passOver(): void {
    waiting = waiting.slice(head);
    head = 0;
  }

  return {
    async take(count, withinMs) {
      if (head === waiting.length && fits(count)) {
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

    giveBack(count) {
      taken -= count;
      startNext();
    },
  };
}
