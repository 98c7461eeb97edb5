import { mergeDb, type MergedDb } from '../../domain/db-merge.ts';
import type { ErrorContext } from '../../domain/error-event.ts';
import { defaultLimits } from '../../domain/run.ts';
import { errorEventOf, ourError, type PlannedEvent } from './run-outcome.ts';

/** What a run changed of `$.service.db`. JSON texts. */
export interface DbChange {
  /** As the run was given it, and as the run left it. */
  given: string;
  left: string;
  /** As it was when the state that is committed was loaded: another run may have changed it meanwhile. */
  now: string;
  /** Of the run, for the `$errors` event about values that do not fit. */
  context: ErrorContext;
}

const LIMIT = defaultLimits.dbBytes;

export const mergedDb = (change: Omit<DbChange, 'context'>): MergedDb => mergeDb(change, LIMIT);

/** The `$errors` event about values that a run set and that did not fit beside what other runs had written meanwhile. */
export function dbTooLarge(context: ErrorContext, leftOut: number, now: number): PlannedEvent {
  const values = leftOut === 1 ? 'A value that this run set was' : `${leftOut} values that this run set were`;
  const error = ourError(
    'db_too_large',
    `$.service.db holds at most ${LIMIT} bytes of JSON. ${values} left out, because other runs filled the db meanwhile.`,
  );
  return { ...errorEventOf(context, error, now), identity: 'db-too-large' };
}
