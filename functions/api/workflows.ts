import { createBucket } from '../../shared/aws/bucket.ts';
import { s3Client } from '../../shared/aws/clients.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import type { UserId, WorkflowId } from '../../shared/domain/id.ts';
import { ERRORS_STREAM, streamOf } from '../../shared/domain/stream.ts';
import { serve, table } from '../../shared/http/serve.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { summaryPage } from '../../shared/http/event-summaries.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { workflows as at } from '../../shared/http/routes/workflow-routes.ts';
import { storedEventStore } from '../../shared/store/stored-events.ts';
import { workflowStore } from '../../shared/store/workflows.ts';

const events = storedEventStore(table, createBucket(s3Client(), environment('BUCKET_NAME').BUCKET_NAME));
const workflows = workflowStore(table);

async function checkOwner(id: WorkflowId, userId: UserId): Promise<void> {
  const workflow = await workflows.find(id);
  if (workflow?.ownerId !== userId)
    throw new ServiceError('not_found', 'not_found', `There is no workflow ${id}.`);
}

export const handler = serve('workflows', {
  listWorkflowEventSummaries: operation(
    at.listWorkflowEventSummaries,
    async ({ parameters: { workflow_id: id }, input, caller }) => {
      await checkOwner(id, caller.userId);
      return summaryPage(events, { emitterId: id, stream: streamOf(input.event_name), ...input });
    },
  ),

  listWorkflowErrorSummaries: operation(
    at.listWorkflowErrorSummaries,
    async ({ parameters: { workflow_id: id }, input, caller }) => {
      await checkOwner(id, caller.userId);
      return summaryPage(events, { emitterId: id, stream: ERRORS_STREAM, ...input });
    },
  ),
} satisfies Record<keyof typeof at, Operation>);
