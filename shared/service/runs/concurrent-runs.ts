import { ServiceError } from '../../domain/errors.ts';
import type { PermitStore } from '../../store/emitters/run-permits.ts';
import type { Parties } from '../admission/parties.ts';
import type { JobRunner } from './run-jobs.ts';

export interface ConcurrentRunsOptions {
  permits: PermitStore;
  /** Long runs of one user at a time. */
  limit: number;
  isOnlySource: Parties['isOnlySource'];
  now(): number;
}

/**
 * Limits the long runs of each user that are in flight in all instances, so that no user takes all of the stage's
 * concurrency, and no source with synchronous runs all of its user's. Short runs need no permit: two writes would cost
 * more than the run. Throws `overloaded`, before anything was started, when there is no permit.
 */
export const limitConcurrentRuns =
  (runJobs: JobRunner, { permits, limit, isOnlySource, now }: ConcurrentRunsOptions): JobRunner =>
  async (request) => {
    if (request.needsNoPermit === true) return runJobs(request);
    const { id: party, ownerId } = request.source;
    const share = { party, isOnlyParty: () => isOnlySource(ownerId) };
    const permit = await permits.take(ownerId, { limit, share, now: now() });
    if (permit === undefined) throw overloaded(limit);
    try {
      return await runJobs(request);
    } finally {
      // The run has ended and must not be repeated. A permit that is not given back becomes void.
      await permits.release(ownerId, permit).catch(() => undefined);
    }
  };

const overloaded = (limit: number) =>
  new ServiceError(
    'overloaded',
    `The owner of this source already has ${limit} runs in progress, or this source its share of them; try again shortly.`,
    { retryAfterSeconds: 5 },
  );
