import { isSourceId } from '../../shared/domain/id.ts';
import { purgeTriggerId } from '../../shared/domain/source-revision.ts';
import type { Removal } from '../../shared/store/removals.ts';
import type { Operator } from './operator.ts';

/**
 * The tombstone, then the last message of its queue: one that came first would find no tombstone and be dropped. What dies in between
 * is among the removals that were begun; to do it again is harmless.
 */
export async function removeEmitter(operator: Operator, { emitterId, ownerId }: Removal): Promise<void> {
  const { removals, sources, workflows, sendTriggers, now } = operator;
  await removals.begin({ emitterId, ownerId });
  if (isSourceId(emitterId)) await sources.tombstone(emitterId);
  else await workflows.tombstone(emitterId);
  await sendTriggers([{ kind: 'purge', id: purgeTriggerId(emitterId), emitterId, ownerId, at: now() }]);
  if (isSourceId(emitterId)) await sources.confirmPurge(emitterId);
  await removals.end({ emitterId });
}
