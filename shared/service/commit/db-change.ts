import { mergeDb, type MergedDb } from '../../domain/run/db-merge.ts';
import type { ErrorContext } from '../../domain/run/error-event.ts';
import { defaultLimits } from '../../domain/run-limits.ts';
import { errorEventOf, ourError, type PlannedEvent } from './planned-event.ts';

/** A run's change of `$.service.db`, as JSON texts. */
export interface DbChange {
  /** The db when the run started. */
  before: string;
  /** The db when the run ended. */
  after: string;
  /** The stored db when the state to commit was loaded; another run may have changed it meanwhile. */
  current: string;
  /** Context of the run, for the `$errors` event about values that do not fit. */
  context: ErrorContext;
}

const LIMIT = defaultLimits.dbBytes;

export const mergedDb = (change: Omit<DbChange, 'context'>): MergedDb => mergeDb(change, LIMIT);

/** The `$errors` event for values of a run that no longer fit, because other runs wrote to the db meanwhile. */
export function dbTooLarge(context: ErrorContext, leftOut: number, now: number): PlannedEvent {
  const values = leftOut === 1 ? 'A value that this run set was' : `${leftOut} values that this run set were`;
  const error = ourError(
    'db_too_large',
    `$.service.db holds at most ${LIMIT} bytes of JSON. ${values} left out, because other runs filled the db meanwhile.`,
  );
  return { ...errorEventOf(context, error, now), identity: 'db-too-large' };
}
