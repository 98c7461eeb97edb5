import { ServiceError } from '../../domain/errors.ts';
import type { HookName } from '../../domain/component/source-traits.ts';
import type { JobResult } from './job-result.ts';
import type { Received } from '../../domain/run/received-trigger.ts';

/** Receive count at which a trigger counts as the cause of the runner's end, although its job wrote no line. */
const MAX_START_RECEIVES = 4;

/**
 * The result of a started job. Without a result the trigger is received again; with an obstacle it waits for a backoff.
 */
interface Started {
  result?: JobResult;
  obstacle?: ServiceError;
}

export function startedResult(
  result: JobResult | undefined,
  { receiveCount }: Pick<Received, 'receiveCount'>,
): Started {
  switch (result?.state) {
    case undefined:
    case 'unstarted':
      return {};
    case 'unready':
      return notStarted(result.unreadyReason ?? 'it was not ready');
    case 'silent':
      if (receiveCount >= MAX_START_RECEIVES) return { result: { ...result, state: 'lost' } };
      return notStarted('it ended before the first line of the job');
    case 'lost':
    case 'ended':
    case 'refused':
      return { result };
  }
}

/** Thrown when no time is left for a hook: a revision is not done in parts, so it restarts with a full time limit. */
export const hookTimeout = (hook: HookName): ServiceError =>
  new ServiceError('unavailable', `No time was left for the hook ${hook}`);

const notStarted = (why: string): Started => ({
  obstacle: new ServiceError('unavailable', `The runner did not start a job: ${why}`),
});
