import type { UserId } from '../../domain/id.ts';

/** The position after the last user: the schedules that belong to nothing are left. */
export const ORPHANS = 'orphans';
/** A reconciliation continues after this user, or with the orphans. */
export type ReconcilePosition = UserId | typeof ORPHANS;
