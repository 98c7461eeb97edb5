import { ServiceError } from '../../shared/domain/errors.ts';
import type { UserId, WorkflowId } from '../../shared/domain/id.ts';
import { ERRORS_STREAM, streamOf } from '../../shared/domain/event/stream.ts';
import { page } from '../../shared/http/api-response.ts';
import { newLiveToken } from '../../shared/http/new-live-token.ts';
import { serve } from '../../shared/http/serve.ts';
import { workflowServices } from '../../shared/lambda/wiring/api-wiring.ts';
import { oneEvent } from '../../shared/http/show/one-event.ts';
import { summaryPage } from '../../shared/http/show/event-summaries.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { workflows as routes } from '../../shared/http/routes/workflow-routes.ts';
import { showWorkflow } from '../../shared/http/show/show.ts';
import { encodeCursor } from '../../shared/store/cursor.ts';

const services = workflowServices();
const { workflows, events, ingressUrl } = services;

async function checkOwner(id: WorkflowId, userId: UserId): Promise<void> {
  const workflow = await workflows.find(id);
  if (workflow?.ownerId !== userId)
    throw new ServiceError('not_found', 'not_found', `There is no workflow ${id}.`);
}

export const handler = serve('workflows', {
  listWorkflows: operation(routes.listWorkflows, async ({ input, caller: { userId: ownerId } }) => {
    const { items, totalCount } = await workflows.listOf(ownerId, input);
    return page(items, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list: 'workflows', ownerId }, id),
      show: (workflow) => showWorkflow(workflow, ingressUrl),
    });
  }),

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

  createWorkflowToken: operation(
    routes.createWorkflowToken,
    async ({ parameters: { workflow_id: id }, input, caller }) => {
      await checkOwner(id, caller.userId);
      return newLiveToken(services, id, { input, caller });
    },
  ),

  getWorkflowEvent: operation(
    routes.getWorkflowEvent,
    async ({ parameters: { workflow_id: id, event_id: eventId }, input, caller: { userId } }) => {
      await checkOwner(id, userId);
      return oneEvent(services, {
        ownerId: userId,
        emitterId: id,
        stream: streamOf(input.event_name),
        eventId,
      });
    },
  ),

  getWorkflowError: operation(
    routes.getWorkflowError,
    async ({ parameters: { workflow_id: id, event_id: eventId }, caller: { userId } }) => {
      await checkOwner(id, userId);
      return oneEvent(services, { ownerId: userId, emitterId: id, stream: ERRORS_STREAM, eventId });
    },
  ),
} satisfies Record<keyof typeof routes, Operation>);
