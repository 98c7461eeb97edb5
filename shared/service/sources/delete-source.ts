import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source.ts';
import { purgeTriggerId } from '../../domain/source-revision.ts';
import { sourceNotFound, type SourceServices } from './owned-source.ts';

/**
 * Gone at once for every reader; the rest goes as the last message of its queue. A tombstone whose last message was never confirmed
 * (whoever made it died) may be deleted again, which sends it.
 */
export async function deleteSource(services: SourceServices, id: SourceId, userId: UserId): Promise<void> {
  const source = await services.sources.find(id);
  if (source?.ownerId !== userId) throw sourceNotFound(id);
  if (source.state === 'deleting' ? source.purgeSent : !(await services.sources.tombstone(id))) {
    throw sourceNotFound(id);
  }
  await purge(services, source);
}

/** For a source that its owner never gets to see, or that somebody else may have removed already. */
export async function removeSource(services: SourceServices, source: Source): Promise<void> {
  if (await services.sources.tombstone(source.id)) await purge(services, source);
}

async function purge(
  { sources, sendTriggers, now }: SourceServices,
  { id, ownerId }: Pick<Source, 'id' | 'ownerId'>,
): Promise<void> {
  await sendTriggers([{ kind: 'purge', id: purgeTriggerId(id), emitterId: id, ownerId, at: now() }]);
  await sources.confirmPurge(id);
}
