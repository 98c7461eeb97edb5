import { createHash } from 'node:crypto';
import { SourceId, type UserId } from '../id.ts';

/** Ids of sources begin with their time, which has no such digits before the year 4000. */
const PREFIX = 'dc_notices';
const HASH_LENGTH = 32;

/**
 * The id of the emitter of a user's notices. It follows from the user's id, so that no item has to exist. It is no
 * secret: every reader compares it with that of the caller.
 */
export const noticesIdOf = (ownerId: UserId): SourceId =>
  SourceId.parse(PREFIX + createHash('sha256').update(`notices\0${ownerId}`).digest('hex').slice(0, HASH_LENGTH));

/** Whether an id is that of the emitter of some user's notices. */
export const isNoticesId = (id: string): boolean => id.startsWith(PREFIX);

/** Whether an id is that of the emitter of this user's notices. */
export const isNoticesIdOf = (id: string, ownerId: UserId): boolean => isNoticesId(id) && id === noticesIdOf(ownerId);
