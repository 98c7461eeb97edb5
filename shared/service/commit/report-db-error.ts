import type { PlannedEvent } from './planned-event.ts';
import type { CommitInput } from './commit-context.ts';
import { dbTooLarge, mergedDb } from './db-change.ts';
import { withLast } from './number-events.ts';

export const withReport = (work: CommitInput, event: PlannedEvent): CommitInput => ({
  ...work,
  planned: withLast(work.planned, [event]),
});

/** Adds a `db_too_large` event to the last trigger when values of the db do not fit. */
export function withDbError(work: CommitInput, now: number, db = work.db): CommitInput {
  const leftOut = db ? mergedDb(db).leftOut : 0;
  return db && leftOut > 0 ? withReport(work, dbTooLarge(db.context, leftOut, now)) : work;
}
