import type { ErrorContext } from '../../domain/error-event.ts';
import type { RunTrigger } from '../../domain/message.ts';
import type { Source, SourceTraits } from '../../domain/source.ts';

/** The context that `$errors` events of a run contain. */
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

/** Whether the source emits incoming events unchanged, without its process. Sources with app props need their process for redaction. */
export const isPassThrough = ({ hasRun, appProps }: Pick<SourceTraits, 'hasRun' | 'appProps'>): boolean =>
  !hasRun && appProps === undefined;
