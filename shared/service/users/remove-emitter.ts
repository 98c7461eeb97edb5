import { isSourceId } from '../../domain/id.ts';
import { purgeTriggerId } from '../../domain/source/source-revision.ts';
import type { Removal, RemovalStore } from '../../store/users/removals.ts';
import type { Trigger } from '../../domain/run/message.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';

export interface RemoveEmitterServices {
  removals: Pick<RemovalStore, 'begin' | 'end'>;
  sources: Pick<SourceStore, 'tombstone' | 'confirmPurge'>;
  workflows: Pick<WorkflowStore, 'tombstone'>;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  now(): number;
}

/**
 * Writes the tombstone, then sends the purge message, which would be dropped without a tombstone. An interrupted
 * removal stays in the list of removals, and can be repeated.
 */
export async function removeEmitter(
  { removals, sources, workflows, sendTriggers, now }: RemoveEmitterServices,
  { emitterId, ownerId }: Removal,
): Promise<void> {
  await removals.begin({ emitterId, ownerId });
  if (isSourceId(emitterId)) await sources.tombstone(emitterId);
  else await workflows.tombstone({ id: emitterId, ownerId });
  await sendTriggers([{ kind: 'purge', id: purgeTriggerId(emitterId), emitterId, ownerId, at: now() }]);
  if (isSourceId(emitterId)) await sources.confirmPurge(emitterId);
  await removals.end({ emitterId });
}
