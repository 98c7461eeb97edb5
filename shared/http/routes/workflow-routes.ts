import * as z from 'zod';
import { EventIdParameter, EventPage, PageInput, StreamParameter, WorkflowIdParameter } from '../parameters.ts';
import { route } from '../route.ts';
import { liveToken } from './live-routes.ts';

const common = {
  group: 'workflows',
  parameters: z.object({ workflow_id: WorkflowIdParameter }),
  envelope: 'page',
  data: 'EventSummary',
} as const;

const one = {
  group: 'workflows',
  parameters: common.parameters.extend({ event_id: EventIdParameter }),
  data: 'Event',
  isExtension: true,
} as const;

export const workflows = {
  listWorkflows: route('GET', '/v1/users/me/workflows', {
    group: 'workflows',
    summary: 'Your workflows, newest first.',
    input: PageInput,
    envelope: 'page',
    data: 'Workflow',
    isExtension: true,
  }),
  listWorkflowEventSummaries: route('GET', '/v1/workflows/{workflow_id}/event_summaries', {
    ...common,
    summary: 'The last events that a workflow emitted, newest first.',
    input: EventPage.safeExtend({ event_name: StreamParameter.optional() }),
  }),
  listWorkflowErrorSummaries: route('GET', '/v1/workflows/{workflow_id}/$errors/event_summaries', {
    ...common,
    summary: 'The last errors that a workflow threw, newest first.',
    input: EventPage,
  }),
  createWorkflowToken: route('POST', '/v1/workflows/{workflow_id}/sse_tokens', {
    ...liveToken,
    group: 'workflows',
    parameters: common.parameters,
  }),
  getWorkflowEvent: route('GET', '/v1/workflows/{workflow_id}/events/{event_id}', {
    ...one,
    summary: 'One event that a workflow emitted, whole, with its trigger and its deliveries to webhooks.',
    input: z.object({ event_name: StreamParameter.optional() }),
  }),
  getWorkflowError: route('GET', '/v1/workflows/{workflow_id}/$errors/events/{event_id}', {
    ...one,
    summary: 'One error that a workflow threw, whole, with its trigger and its deliveries to webhooks.',
  }),
};
