import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';

export interface OwnedSourceContext {
  sources: Pick<SourceStore, 'find'>;
}

export const sourceNotFound = (id: string) => new ServiceError('not_found', 'not_found', `There is no source ${id}.`);

/** Throws `not_found` for another user's source too, so that ids cannot be probed. */
export async function ownedSource({ sources }: OwnedSourceContext, id: SourceId, userId: UserId): Promise<Source> {
  const source = await sources.find(id);
  if (source?.ownerId !== userId || source.state === 'deleting') throw sourceNotFound(id);
  return source;
}
