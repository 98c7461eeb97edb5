import type { ErrorContext } from '../../domain/run/error-event.ts';
import { isSourceId } from '../../domain/id.ts';
import type { EmitTrigger, RunTrigger } from '../../domain/run/message.ts';
import type { Source } from '../../domain/source/source.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';

/** The context that `$errors` events of a run contain. */
export const errorContextOf = (
  source: Pick<Source, 'id' | 'ownerId'>,
  trigger: Pick<RunTrigger, 'id' | 'at' | 'cause'>,
  originalEvent: () => string,
): ErrorContext => ({
  runId: trigger.id,
  at: trigger.at,
  sourceType: trigger.cause,
  ownerId: source.ownerId,
  sourceId: source.id,
  originalEvent,
});

export const eventContextOf = (trigger: RunTrigger | EmitTrigger, event: string): ErrorContext => ({
  runId: trigger.id,
  at: trigger.at,
  sourceType: trigger.kind === 'run' ? trigger.cause : isSourceId(trigger.emitterId) ? 'source' : 'workflow',
  ownerId: trigger.ownerId,
  sourceId: trigger.emitterId,
  originalEvent: () => event,
});

/**
 * Whether the source emits incoming events unchanged, without its process. Sources with app props need their process
 * for redaction.
 */
export const isPassThrough = ({ hasRun, appProps }: Pick<SourceTraits, 'hasRun' | 'appProps'>): boolean =>
  !hasRun && appProps === undefined;
