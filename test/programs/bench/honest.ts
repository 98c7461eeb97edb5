import { type Outcome, play } from '../honest/play.ts';
import { HonestUser } from '../honest/user.ts';
import { works } from '../honest/works.ts';
import { newUser } from '../../support/new-user.ts';
import { startNeighbour } from '../attacks/neighbour/neighbour.ts';

/**
 * An event of the longest work waits for 45 minutes: 54,000 events in runs of 20 ms, one after the other, on a slow
 * machine.
 */
const WITHIN_MS = 45 * 60_000;
const QUIET_MS = 10_000;

interface HonestRow extends Outcome {
  seconds: number;
  refused: string;
  /** Measurements of another user of the service meanwhile, as multiples of the same without the work. */
  'neighbour p99': string;
  'neighbour delivery': string;
}

/** Ordinary heavy work, each kind with a service of its own that is stopped and killed in the middle. */
export async function honest(): Promise<HonestRow[]> {
  const rows: HonestRow[] = [];
  for (const work of works('bench')) {
    const user = await HonestUser.start();
    const neighbour = await startNeighbour({
      base: user.base,
      key: await newUser(user.dataDir, 'neighbour'),
    });
    try {
      await neighbour.report();
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      const quiet = await neighbour.report();
      const startedAt = performance.now();
      let busy = quiet;
      const [outcome] = await play(user, [work], {
        // The neighbour measures the work until the first restart: it does not repeat requests.
        meanwhile: async () => {
          await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
          busy = await neighbour.report();
          await user.restart('SIGTERM');
          await user.restart('SIGKILL');
        },
        withinMs: WITHIN_MS,
      });
      if (!outcome) continue;
      rows.push({
        ...outcome,
        seconds: Math.round((performance.now() - startedAt) / 1_000),
        refused: [...user.refused].map(([what, count]) => `${count} × ${what}`).join(', '),
        'neighbour p99': ratio(busy.p99Ms, quiet.p99Ms),
        'neighbour delivery': ratio(busy.slowestDeliveryMs, quiet.slowestDeliveryMs),
      });
    } finally {
      neighbour.stop();
      await user.stop();
    }
  }
  return rows;
}

const ratio = (busy: number, quiet: number): string => (busy / quiet).toFixed(1);
