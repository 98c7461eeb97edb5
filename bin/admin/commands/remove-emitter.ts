import { isSourceId } from '../../../shared/domain/id.ts';
import { purgeTriggerId } from '../../../shared/domain/source/source-revision.ts';
import type { Removal } from '../../../shared/store/users/removals.ts';
import type { Operator } from '../operator.ts';

/**
 * Writes the tombstone, then sends the purge message, which would be dropped without a tombstone. An interrupted removal stays in the list of
 * removals, and can be repeated.
 */
export async function removeEmitter(operator: Operator, { emitterId, ownerId }: Removal): Promise<void> {
  const { removals, sources, workflows, sendTriggers, now } = operator;
  await removals.begin({ emitterId, ownerId });
  if (isSourceId(emitterId)) await sources.tombstone(emitterId);
  else await workflows.tombstone({ id: emitterId, ownerId });
  await sendTriggers([{ kind: 'purge', id: purgeTriggerId(emitterId), emitterId, ownerId, at: now() }]);
  if (isSourceId(emitterId)) await sources.confirmPurge(emitterId);
  await removals.end({ emitterId });
}
