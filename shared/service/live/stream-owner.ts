import type { SourceId, UserId, WorkflowId } from '../../domain/id.ts';
import { isNoticesIdOf } from '../../domain/notice/notices-emitter.ts';
import { sourceKey, workflowKey } from '../../store/table/keys.ts';
import type { SourceStore } from '../../store/emitters/sources.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import type { StreamRequest } from './open-live-stream.ts';

type Owner = StreamRequest['owner'];

export const sourceOwner = (sources: Pick<SourceStore, 'find'>, id: SourceId, userId: UserId): Owner => ({
  key: sourceKey(id),
  isValid: async () => {
    // A deleted user has no key: that check ends the stream.
    if (isNoticesIdOf(id, userId)) return true;
    const source = await sources.find(id);
    return source?.ownerId === userId && source.state !== 'deleting';
  },
});

export const workflowOwner = (workflows: Pick<WorkflowStore, 'find'>, id: WorkflowId, userId: UserId): Owner => ({
  key: workflowKey(id),
  isValid: async () => (await workflows.find(id))?.ownerId === userId,
});
