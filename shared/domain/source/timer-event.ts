import type { SourceTraits } from '../component/source-traits.ts';

/** The event of a timer tick, as JSON text: time in epoch seconds, and the timer. */
export const timerEvent = (at: number, timer: SourceTraits['timer']): string =>
  JSON.stringify({
    timestamp: Math.floor(at / 1000),
    ...(timer === undefined
      ? {}
      : 'cron' in timer
        ? { cron: timer.cron }
        : { interval_seconds: timer.intervalSeconds }),
  });
