import type { ErrorContext } from '../../domain/error-event.ts';
import type { RunTrigger } from '../../domain/message.ts';
import type { Source, SourceTraits } from '../../domain/source.ts';

/** What an error of a run will say it was doing. */
export const errorContextOf = (
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

/**
 * Whether what comes in is emitted as it is, without asking the component. Where there may be an account the component's process looks
 * through it first.
 */
export const isPassThrough = ({ hasRun, appProps }: Pick<SourceTraits, 'hasRun' | 'appProps'>): boolean =>
  !hasRun && appProps === undefined;
