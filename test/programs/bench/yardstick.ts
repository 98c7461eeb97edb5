import { quantile } from './closed-loop.ts';

const EVERY_MS = 250;
/** Takes about a millisecond: longer work would delay the load of the bench. */
const DOCUMENT = JSON.stringify(
  Array.from({ length: 400 }, (_, n) => ({ id: n, name: `name ${n}`, tags: ['a', 'b'], at: n * 1.5 })),
);

export interface Yardstick {
  /**
   * Median time of the work since the last call, in µs: the speed of the machine, without the times at which the work
   * had to wait.
   */
  takeUs(): number;
  stop(): void;
}

/** Times the same piece of work four times a second, to tell a slower machine from a slower service. */
export function startYardstick(): Yardstick {
  let times: number[] = [];
  const timer = setInterval(() => {
    const startedAt = performance.now();
    JSON.stringify(JSON.parse(DOCUMENT));
    times.push((performance.now() - startedAt) * 1000);
  }, EVERY_MS);
  return {
    takeUs() {
      const sorted = Float64Array.from(times).sort();
      times = [];
      return Math.round(quantile(sorted, 0.5));
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
