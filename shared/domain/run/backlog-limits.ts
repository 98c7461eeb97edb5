import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts';

/** A source gets a backlog when its oldest trigger has waited in the queue for this long. */
export const BEHIND_AFTER_MS = 60_000;

/** The owner of a source is told when its oldest trigger has waited for this long. */
export const NOTICE_BEHIND_AFTER_MS = 5 * MINUTE_MS;

/** A trigger that has waited in a backlog for longer is dropped, and `$errors` says how many were. */
export const LONGEST_WAIT_MS = 14 * DAY_MS;

/** Triggers of one backlog: with more of them the source refuses requests and runs by the API. */
export const MAX_WAITING_TRIGGERS = 100_000;

/** Messages of the whole queue: with more of them each source with a backlog refuses requests and runs by the API. */
export const MAX_QUEUED_MESSAGES = 100_000;

/** Payloads of larger triggers are objects of the bucket: an item costs a write unit for each KB, twice. */
export const LARGEST_WAITING_BYTES = 4_096;

/** A message of a backlog executes triggers for this long, then sends the next one. */
export const SLICE_MS = 10_000;

/**
 * A message of a backlog that gets no permit comes back after this, and one whose trigger failed: updates and deletions
 * do not wait for it.
 */
export const SLICE_PAUSE_SECONDS = 2;
