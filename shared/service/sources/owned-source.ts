import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source.ts';
import type { SourceStore } from '../../store/sources.ts';

export interface OwnedSourceContext {
  sources: Pick<SourceStore, 'find'>;
}

export const sourceNotFound = (id: string) =>
  new ServiceError('not_found', 'not_found', `There is no source ${id}.`);

/** Another user's source is as unknown as one that never was. */
export async function ownedSource(
  { sources }: OwnedSourceContext,
  id: SourceId,
  userId: UserId,
): Promise<Source> {
  const source = await sources.find(id);
  if (source?.ownerId !== userId || source.state === 'deleting') throw sourceNotFound(id);
  return source;
}
