import * as z from 'zod';
import { EventPage, StreamParameter, WorkflowIdParameter } from '../parameters.ts';
import { route } from '../route.ts';
import { EventSummaryResponse } from '../responses.ts';

const common = {
  group: 'workflows',
  method: 'GET',
  parameters: z.object({ workflow_id: WorkflowIdParameter }),
  envelope: 'page',
  data: EventSummaryResponse,
} as const;

export const workflows = {
  listWorkflowEventSummaries: route({
    ...common,
    path: '/v1/workflows/{workflow_id}/event_summaries',
    summary: 'The last events that a workflow emitted, newest first.',
    input: EventPage.safeExtend({ event_name: StreamParameter.optional() }),
  }),
  listWorkflowErrorSummaries: route({
    ...common,
    path: '/v1/workflows/{workflow_id}/$errors/event_summaries',
    summary: 'The last errors that a workflow threw, newest first.',
    input: EventPage,
  }),
};
