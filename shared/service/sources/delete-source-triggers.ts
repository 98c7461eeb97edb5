import type { Random, SourceId, UserId } from '../../domain/id.ts';
import type { Trigger } from '../../domain/run/message.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';

interface DeleteTriggersContext extends OwnedSourceContext {
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  random: Random;
  now(): number;
}

/** Queues the deletion of the triggers that wait. The message has its place among them, so that later ones stay. */
export async function deleteSourceTriggers(
  context: DeleteTriggersContext,
  id: SourceId,
  userId: UserId,
): Promise<void> {
  const { sendTriggers, random, now } = context;
  await ownedSource(context, id, userId);
  await sendTriggers([
    {
      kind: 'delete-triggers',
      id: `drop-${Buffer.from(random(16)).toString('hex')}`,
      emitterId: id,
      ownerId: userId,
      at: now(),
    },
  ]);
}
