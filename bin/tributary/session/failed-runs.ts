import * as z from 'zod';
import { type FailedRuns, failedRunsOf, MAX_COUNTED_SOURCES } from '../../../shared/domain/source/run-counts.ts';
import { inBatches } from '../events/in-batches.ts';
import type { Api } from './api.ts';
import type { Source } from './response-schemas.ts';

const Rows = z.array(z.looseObject({ source_id: z.string().optional(), value: z.number() }));

const DAY_MS = 24 * 3_600_000;

/** Counts the runs of each source with an error in the last 24 hours; undefined for the others. */
export async function failedRuns(
  api: Pick<Api, 'get'>,
  sources: readonly Source[],
  now: number,
): Promise<(source: Source) => FailedRuns | undefined> {
  const ids = sources.flatMap(({ id, last_error_ms: at }) => (at != null && at > now - DAY_MS ? [id] : []));
  const chunks = Array.from({ length: Math.ceil(ids.length / MAX_COUNTED_SOURCES) }, (_, n) =>
    ids.slice(n * MAX_COUNTED_SOURCES, (n + 1) * MAX_COUNTED_SOURCES),
  );
  const [errors, runs] = await Promise.all([sumsOf(api, 'errors', chunks), sumsOf(api, 'runs', chunks)]);
  const isAsked = new Set(ids);
  return ({ id }) => (isAsked.has(id) ? failedRunsOf(errors.get(id) ?? 0, runs.get(id) ?? 0) : undefined);
}

async function sumsOf(
  api: Pick<Api, 'get'>,
  measure: 'errors' | 'runs',
  chunks: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  const read = await inBatches(chunks, async (ids) => {
    const query = { measure, source_id: ids.join(','), granularity: 'hour' };
    // Rows name their source when several are asked for.
    return (await api.get('/users/me/metrics', Rows, { query })).map(({ source_id: id = ids[0] ?? '', value }) => ({
      id,
      value,
    }));
  });
  for (const { id, value } of read.flat()) sums.set(id, (sums.get(id) ?? 0) + value);
  return sums;
}
