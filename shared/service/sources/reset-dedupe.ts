import type { Random, SourceId, UserId } from '../../domain/id.ts';
import type { Trigger } from '../../domain/run/message.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';

interface ResetDedupeContext extends OwnedSourceContext {
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  random: Random;
  now(): number;
}

/** Queues the reset of a source's dedupe: what was accepted before is still deduplicated. */
export async function resetDedupe(context: ResetDedupeContext, id: SourceId, ownerId: UserId): Promise<void> {
  const { sendTriggers, random, now } = context;
  await ownedSource(context, id, ownerId);
  const name = `reset-dedupe-${Buffer.from(random(16)).toString('hex')}`;
  await sendTriggers([{ kind: 'reset-dedupe', id: name, emitterId: id, ownerId, at: now() }]);
}
