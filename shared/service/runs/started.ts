import { ServiceError } from '../../domain/errors.ts';
import type { HookName } from '../../domain/source.ts';
import type { JobResult } from './run-jobs.ts';
import type { Received } from './received-trigger.ts';

/** A trigger that the runner was lost with this often, and of which nothing was heard, is what the runner is lost by. */
const TRIES_TO_START = 4;

/** What of a job is to be kept; without a result it is to be handed out again, with an obstacle not at once. */
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
      if (receiveCount >= TRIES_TO_START) return { result: { ...result, state: 'lost' } };
      return notStarted('it was lost before anything was heard of the job');
    case 'lost':
    case 'ended':
      return { result };
  }
}

/** For what cannot be done in part: it begins anew with all the time there is. */
export const hookTimeout = (hook: HookName): ServiceError =>
  new ServiceError('unavailable', 'unavailable', `There was no time left for the hook ${hook}`);

const notStarted = (why: string): Started => ({
  obstacle: new ServiceError('unavailable', 'unavailable', `The runner did not begin a job: ${why}`),
});
