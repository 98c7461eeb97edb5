import type { SourceId, UserId } from '../../domain/id.ts';
import { isNoticesIdOf } from '../../domain/notice/notices-emitter.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';

/**
 * Like {@link ownedSource}, for operations that read events: the emitter of the user's notices is read as a source is.
 */
export async function checkReadable(context: OwnedSourceContext, id: SourceId, userId: UserId): Promise<void> {
  if (!isNoticesIdOf(id, userId)) await ownedSource(context, id, userId);
}
