export interface Room {
  /** Whether the caller got `count` places within the time; then it gives them back. More than all places are given when all are free. */
  take(count: number, withinMs: number): Promise<boolean>;
  giveBack(count: number): void;
}

/** Places for work of different sizes, given in the order of the calls. */
export function createRoom(places: number): Room {
  let taken = 0;
  const waiting = new Set<{ count: number; start: () => void }>();

  const fits = (count: number): boolean => taken === 0 || taken + count <= places;

  function startNext(): void {
    for (const next of waiting) {
      if (!fits(next.count)) return;
      waiting.delete(next);
      taken += next.count;
      next.start();
    }
  }

  return {
    async take(count, withinMs) {
      if (waiting.size === 0 && fits(count)) {
        taken += count;
        return true;
      }
      return new Promise((resolve) => {
        const own = {
          count,
          start() {
            clearTimeout(timer);
            resolve(true);
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(own);
          resolve(false);
          // Smaller work may fit where this one did not.
          startNext();
        }, withinMs);
        waiting.add(own);
      });
    },

    giveBack(count) {
      taken -= count;
      startNext();
    },
  };
}
