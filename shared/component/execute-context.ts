import type { ErrorContext } from '../domain/error-event.ts';
import type { RunTrigger } from '../domain/message.ts';
import type { Source } from '../domain/source.ts';

/** What an error of a run will say it was doing. */
export const contextOf = (
  source: Pick<Source, 'id' | 'ownerId'>,
  trigger: Pick<RunTrigger, 'id' | 'at' | 'cause'>,
  originalEvent: string,
): ErrorContext => ({
  runId: trigger.id,
  at: trigger.at,
  sourceType: trigger.cause,
  ownerId: source.ownerId,
  sourceId: source.id,
  originalEvent,
});
