import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import { notFound } from '../../domain/errors.ts';

export interface OwnedSourceContext {
  sources: Pick<SourceStore, 'find'>;
}

/** Throws `not_found` for another user's source too, so that ids cannot be probed. */
export async function ownedSource({ sources }: OwnedSourceContext, id: SourceId, userId: UserId): Promise<Source> {
  const source = await sources.find(id);
  if (source?.ownerId !== userId || source.state === 'deleting') throw notFound(`source ${id}`);
  return source;
}
