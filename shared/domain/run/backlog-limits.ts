import { DAY_MS } from '../../lib/durations.ts';

/** A trigger that has waited in a backlog for longer is dropped, and `$errors` says how many were. */
export const LONGEST_WAIT_MS = 14 * DAY_MS;

/** Triggers of one backlog: with more of them the source refuses requests and runs by the API. */
export const MAX_WAITING_TRIGGERS = 100_000;
