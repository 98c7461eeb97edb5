import { ServiceError } from '../../domain/errors.ts';
import type { HookName } from '../../domain/source.ts';
import type { JobResult } from './run-jobs.ts';
import type { Received } from './received-trigger.ts';

/** A trigger that the runner was lost with this often, and of which nothing was heard, is what the runner is lost by. */
const TRIES_TO_BEGIN = 4;

/** What of a job is to be kept; without a result it is to be handed out again, with an obstacle not at once. */
interface Begun {
  result?: JobResult;
  obstacle?: ServiceError;
}

export function begun(
  result: JobResult | undefined,
  { receiveCount }: Pick<Received, 'receiveCount'>,
): Begun {
  switch (result?.state) {
    case undefined:
    case 'unstarted':
      return {};
    case 'unready':
      return notBegun(result.obstacle ?? 'it was not ready');
    case 'silent':
      if (receiveCount >= TRIES_TO_BEGIN) return { result: { ...result, state: 'lost' } };
      return notBegun('it was lost before anything was heard of the job');
    case 'lost':
    case 'ended':
      return { result };
  }
}

/** For what cannot be done in part: it begins anew with all the time there is. */
export const noTimeFor = (hook: HookName): ServiceError =>
  new ServiceError('unavailable', 'unavailable', `There was no time left for the hook ${hook}`);

const notBegun = (why: string): Begun => ({
  obstacle: new ServiceError('unavailable', 'unavailable', `The runner did not begin a job: ${why}`),
});
