import type { SourceId, UserId } from '../id.ts';
import { errorsTrigger } from './error-event.ts';
import type { EmitTrigger } from './message.ts';

const PREFIX = 'dropped-';

/**
 * Whether a trigger emits how many events a source did not get: it is stored also when the storage of its owner is
 * full.
 */
export const isDropNotice = (triggerId: string): boolean => triggerId.startsWith(PREFIX);

export interface DropNoticeInput {
  sourceId: SourceId;
  ownerId: UserId;
  count: number;
  first: string;
  last: string;
  now: number;
}

/** A trigger that emits how many events of other emitters a source did not get. */
export function dropNotice({ sourceId, ownerId, count, first, last, now }: DropNoticeInput): EmitTrigger {
  const id = `${PREFIX}${sourceId}-${last}`;
  const message =
    `As many bytes are stored for the user as limits.storedBytes of the stage allows, so events of other emitters were dropped: ${count}. ` +
    `The first was ${first}, the last ${last}. Delete events or sources.`;
  return errorsTrigger({
    id,
    emitterId: sourceId,
    ownerId,
    sourceType: 'source',
    code: 'events_dropped',
    message,
    now,
  });
}
