import { startOfBucket } from '../../domain/metrics/granularity.ts';
import { COUNT } from '../../domain/metrics/tally.ts';
import type { SourceId } from '../../domain/id.ts';
import type { MetricStore } from '../../store/users/metrics.ts';
import type { Usage } from '../../store/users/usage.ts';
import { readTallies } from './read-tallies.ts';

/** The usage of a source on the UTC day of `now`, from its metrics: counting it costs no write. */
export const sourceUsageOf =
  (metrics: Pick<MetricStore, 'read'>) =>
  async (sourceId: SourceId, now: number): Promise<Usage> => {
    const today = { first: startOfBucket('day', now), last: startOfBucket('hour', now) };
    const hours = [...(await readTallies(metrics, sourceId, { granularity: 'hour', ...today }, now)).values()];
    const sum = (name: string) => hours.reduce((total, tally) => total + (tally.get(name) ?? 0), 0);
    return { invocations: sum(COUNT.runs), computeMs: sum(COUNT.computeMs) };
  };
