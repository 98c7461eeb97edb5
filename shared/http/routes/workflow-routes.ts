import * as z from 'zod';
import { EventIdParameter, EventPage, PageInput, StreamParameter, WorkflowIdParameter } from '../parameters.ts';
import { route } from '../route.ts';
import { liveToken } from './live-routes.ts';

const common = {
  group: 'workflows',
  method: 'GET',
  parameters: z.object({ workflow_id: WorkflowIdParameter }),
  envelope: 'page',
  data: 'EventSummary',
} as const;

const one = {
  group: 'workflows',
  method: 'GET',
  parameters: common.parameters.extend({ event_id: EventIdParameter }),
  envelope: 'single',
  data: 'Event',
  isExtension: true,
} as const;

export const workflows = {
  listWorkflows: route({
    group: 'workflows',
    method: 'GET',
    path: '/v1/users/me/workflows',
    summary: 'Your workflows, newest first.',
    parameters: z.object({}),
    input: PageInput,
    envelope: 'page',
    data: 'Workflow',
    isExtension: true,
  }),
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
  createWorkflowToken: route({
    ...liveToken,
    group: 'workflows',
    path: '/v1/workflows/{workflow_id}/sse_tokens',
    parameters: common.parameters,
  }),
  getWorkflowEvent: route({
    ...one,
    path: '/v1/workflows/{workflow_id}/events/{event_id}',
    summary: 'One event that a workflow emitted, whole, with its trigger and its deliveries to webhooks.',
    input: z.object({ event_name: StreamParameter.optional() }),
  }),
  getWorkflowError: route({
    ...one,
    path: '/v1/workflows/{workflow_id}/$errors/events/{event_id}',
    summary: 'One error that a workflow threw, whole, with its trigger and its deliveries to webhooks.',
    input: z.object({}),
  }),
};
