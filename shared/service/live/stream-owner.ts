import type { SourceId, UserId, WorkflowId } from '../../domain/id.ts';
import { sourceKey, workflowKey } from '../../store/keys.ts';
import type { SourceStore } from '../../store/sources.ts';
import type { WorkflowStore } from '../../store/workflows.ts';
import type { StreamRequest } from './open-live-stream.ts';

type Owner = StreamRequest['owner'];

export const sourceOwner = (sources: Pick<SourceStore, 'find'>, id: SourceId, userId: UserId): Owner => ({
  key: sourceKey(id),
  isValid: async () => {
    const source = await sources.find(id);
    return source?.ownerId === userId && source.state !== 'deleting';
  },
});

export const workflowOwner = (
  workflows: Pick<WorkflowStore, 'find'>,
  id: WorkflowId,
  userId: UserId,
): Owner => ({
  key: workflowKey(id),
  isValid: async () => (await workflows.find(id))?.ownerId === userId,
});
