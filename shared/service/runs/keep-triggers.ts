import { ServiceError } from '../../domain/errors.ts';
import type { Emitter } from '../../store/emitters.ts';
import type { KeptTriggerStore } from '../../store/kept-triggers.ts';
import type { Plan } from './plan.ts';
import type { Received } from './received-trigger.ts';

export interface KeepTriggersContext {
  keptTriggers: Pick<KeptTriggerStore, 'keep'>;
}

/**
 * Stores the triggers that a suspended source keeps. A trigger that is received again is stored once. Throws when the source was resumed
 * meanwhile: then the triggers come again, and run.
 */
export async function keepTriggers(
  { keptTriggers }: KeepTriggersContext,
  { source }: Emitter,
  { plans, received }: { plans: readonly Plan[]; received: readonly Pick<Received, 'sequence'>[] },
): Promise<void> {
  if (!source?.suspension) return;
  const owned = { sourceId: source.id, ownerId: source.ownerId };
  for (const [index, plan] of plans.entries()) {
    const sequence = received[index]?.sequence;
    if (plan.kind !== 'keep' || sequence === undefined) continue;
    if (!(await keptTriggers.keep(owned, { sequence, trigger: plan.trigger })))
      throw new ServiceError('unavailable', 'unavailable', 'The source was resumed at this moment');
  }
}
