import { ServiceError } from '../../domain/errors.ts';
import type { Source } from '../../domain/source/source.ts';
import type { KeptTrigger, KeptTriggerStore } from '../../store/kept-triggers.ts';

export interface KeepTriggersContext {
  keptTriggers: Pick<KeptTriggerStore, 'keep'>;
}

/**
 * Stores the triggers that a suspended source keeps. A trigger that is received again is stored once. Throws when the source was resumed
 * meanwhile: then the triggers come again, and run.
 */
export async function keepTriggers(
  { keptTriggers }: KeepTriggersContext,
  { id: sourceId, ownerId }: Pick<Source, 'id' | 'ownerId'>,
  triggers: readonly Pick<KeptTrigger, 'sequence' | 'trigger'>[],
): Promise<void> {
  for (const kept of triggers)
    if (!(await keptTriggers.keep({ sourceId, ownerId }, kept)))
      throw new ServiceError('unavailable', 'unavailable', 'The source was resumed at this moment');
}
