import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import { healthProblem, healthResponseOf, isHealthPath, type ServiceMarks } from '../../domain/service-health.ts';
import type { ApiEvent, ApiResult } from '../exchange.ts';

/** Everybody may ask: a process reads the table once in this time. */
const CACHE_MS = 5_000;

export type Health = () => Promise<ApiResult>;

/** Answers `GET /healthz` from the table. */
export function createHealth({ read, now }: { read(): Promise<ServiceMarks>; now(): number }): Health {
  const cache = new TtlCache<'marks', Promise<ServiceMarks>>({ ttlMs: CACHE_MS, maxEntries: 1, now });
  return async () => {
    const problem = await cachedRead(cache, 'marks', read).then(
      (marks) => healthProblem(marks, now()),
      () => 'The table cannot be read.',
    );
    const { status: statusCode, ...response } = healthResponseOf(problem);
    return { statusCode, ...response };
  };
}

/** The handler of an API with `GET /healthz`, which needs no key and has no line in the log. */
export const withHealth =
  <Context>(api: (event: ApiEvent, context: Context) => Promise<ApiResult>, health: Health) =>
  async (event: ApiEvent, context: Context): Promise<ApiResult> =>
    isHealthPath(event.requestContext.http.method, event.rawPath) ? health() : api(event, context);
