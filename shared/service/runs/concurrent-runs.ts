import { ServiceError } from '../../domain/errors.ts';
import type { RunPlaceStore } from '../../store/run-places.ts';
import type { JobRunner } from './run-jobs.ts';

export interface ConcurrentRunsOptions {
  places: RunPlaceStore;
  /** Long runs of one user at a time. */
  limit: number;
  now(): number;
}

/**
 * Limits the long runs of each user that are in flight in all instances, so that no user takes all of the stage's concurrency. Short runs
 * need no place: two writes would cost more than the run. Throws `overloaded`, before anything was started, when there is no place.
 */
export const limitConcurrentRuns =
  (runJobs: JobRunner, { places, limit, now }: ConcurrentRunsOptions): JobRunner =>
  async (request) => {
    if (request.needsNoPlace === true) return runJobs(request);
    const { ownerId } = request.source;
    const place = await places.take(ownerId, { limit, now: now() });
    if (place === undefined) throw overloaded(limit);
    try {
      return await runJobs(request);
    } finally {
      // The run has ended and must not be repeated. A place that is not given back becomes void.
      await places.release(ownerId, place).catch(() => undefined);
    }
  };

const overloaded = (limit: number) =>
  new ServiceError(
    'rate_limited',
    'overloaded',
    `The owner of this source already has ${limit} runs in progress; try again shortly.`,
    { retryAfterSeconds: 5 },
  );
