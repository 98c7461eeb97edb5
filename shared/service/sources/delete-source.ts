import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { purgeTriggerId } from '../../domain/source/source-revision.ts';
import type { Trigger } from '../../domain/run/message.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import { notFound } from '../../domain/errors.ts';

export interface DeleteSourceContext {
  sources: Pick<SourceStore, 'find' | 'tombstone' | 'confirmPurge'>;
  sendTriggers(triggers: readonly Trigger[]): Promise<void>;
  now(): number;
}

/**
 * Marks the source as deleted for all readers and queues the purge of its data. When the purge message was never
 * confirmed, because the process ended in between, a second DELETE sends it.
 */
export async function deleteSource(context: DeleteSourceContext, id: SourceId, userId: UserId): Promise<void> {
  const source = await context.sources.find(id);
  if (source?.ownerId !== userId) throw notFound(`source ${id}`);
  if (source.state === 'deleting' ? source.purgeSent : !(await context.sources.tombstone(id))) {
    throw notFound(`source ${id}`);
  }
  await purge(context, source);
}

/** Removes a source that may be removed already, without an error. */
export async function removeSource(context: DeleteSourceContext, source: Source): Promise<void> {
  if (await context.sources.tombstone(source.id)) await purge(context, source);
}

async function purge(
  { sources, sendTriggers, now }: DeleteSourceContext,
  { id, ownerId }: Pick<Source, 'id' | 'ownerId'>,
): Promise<void> {
  await sendTriggers([{ kind: 'purge', id: purgeTriggerId(id), emitterId: id, ownerId, at: now() }]);
  await sources.confirmPurge(id);
}
