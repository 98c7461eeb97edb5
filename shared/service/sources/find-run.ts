import { cut } from '../../lib/cut.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { RunRecordStore } from '../../store/emitters/run-records.ts';
import { ownedSource, type OwnedSourceContext } from './owned-source.ts';

interface FindRunContext extends OwnedSourceContext {
  runRecords: Pick<RunRecordStore, 'find'>;
}

export async function findRun(
  context: FindRunContext,
  { id, trigger_id: triggerId }: { id: SourceId; trigger_id: string },
  userId: UserId,
) {
  await ownedSource(context, id, userId);
  const found = await context.runRecords.find(id, triggerId);
  if (found) return found;
  throw new ServiceError('not_found', `The source has no run ${cut(triggerId, 128)} among its last 100 triggers.`);
}
