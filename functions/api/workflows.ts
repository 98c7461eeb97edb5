import { ServiceError } from '../../shared/domain/errors.ts';
import type { UserId, WorkflowId } from '../../shared/domain/id.ts';
import { ERRORS_STREAM, streamOf } from '../../shared/domain/stream.ts';
import { serve } from '../../shared/http/serve.ts';
import { workflowServices } from '../../shared/lambda/services.ts';
import { summaryPage } from '../../shared/http/event-summaries.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { workflows as routes } from '../../shared/http/routes/workflow-routes.ts';

const { workflows, events } = workflowServices();

async function checkOwner(id: WorkflowId, userId: UserId): Promise<void> {
  const workflow = await workflows.find(id);
  if (workflow?.ownerId !== userId)
    throw new ServiceError('not_found', 'not_found', `There is no workflow ${id}.`);
}

export const handler = serve('workflows', {
  listWorkflowEventSummaries: operation(
    routes.listWorkflowEventSummaries,
    async ({ parameters: { workflow_id: id }, input, caller }) => {
      await checkOwner(id, caller.userId);
      return summaryPage(events, { emitterId: id, stream: streamOf(input.event_name), ...input });
    },
  ),

  listWorkflowErrorSummaries: operation(
    routes.listWorkflowErrorSummaries,
    async ({ parameters: { workflow_id: id }, input, caller }) => {
      await checkOwner(id, caller.userId);
      return summaryPage(events, { emitterId: id, stream: ERRORS_STREAM, ...input });
    },
  ),
} satisfies Record<keyof typeof routes, Operation>);
