import { ServiceError } from '../../shared/domain/errors.ts';
import type { UserId, WorkflowId } from '../../shared/domain/id.ts';
import { ERRORS_STREAM, streamOf } from '../../shared/domain/event/stream.ts';
import { page } from '../../shared/http/api-response.ts';
import { newLiveToken } from '../../shared/http/tokens/new-live-token.ts';
import { serve } from '../../shared/http/serve.ts';
import { workflowServices } from '../../shared/lambda/wiring/api-wiring.ts';
import { oneEvent, summaryPage } from '../../shared/http/show/event-summaries.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { workflows as routes } from '../../shared/http/routes/workflow-routes.ts';
import { showWorkflow } from '../../shared/http/show/show.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';

const services = workflowServices();
const { workflows, ingressUrl } = services;

async function checkOwner(id: WorkflowId, userId: UserId): Promise<void> {
  const workflow = await workflows.find(id);
  if (workflow?.ownerId !== userId) throw new ServiceError('not_found', `There is no workflow ${id}.`);
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

  listWorkflowEventSummaries: operation(routes.listWorkflowEventSummaries, async (request) => {
    const { parameters, caller, input } = request;
    const { workflow_id: emitterId } = parameters;
    await checkOwner(emitterId, caller.userId);
    return summaryPage(services, { ...input, by: request, emitterId, stream: streamOf(input.event_name) });
  }),

  listWorkflowErrorSummaries: operation(routes.listWorkflowErrorSummaries, async (request) => {
    const { workflow_id: emitterId } = request.parameters;
    await checkOwner(emitterId, request.caller.userId);
    return summaryPage(services, { ...request.input, by: request, emitterId, stream: ERRORS_STREAM });
  }),

  createWorkflowToken: operation(
    routes.createWorkflowToken,
    async ({ parameters: { workflow_id: id }, input, caller }) => {
      await checkOwner(id, caller.userId);
      return newLiveToken(services, id, { input, caller });
    },
  ),

  getWorkflowEvent: operation(routes.getWorkflowEvent, async (request) => {
    const { workflow_id: emitterId, event_id: eventId } = request.parameters;
    await checkOwner(emitterId, request.caller.userId);
    return oneEvent(services, {
      by: request,
      emitterId,
      stream: streamOf(request.input.event_name),
      eventId,
    });
  }),

  getWorkflowError: operation(routes.getWorkflowError, async (request) => {
    const { workflow_id: emitterId, event_id: eventId } = request.parameters;
    await checkOwner(emitterId, request.caller.userId);
    return oneEvent(services, { by: request, emitterId, stream: ERRORS_STREAM, eventId });
  }),
} satisfies Record<keyof typeof routes, Operation>);
