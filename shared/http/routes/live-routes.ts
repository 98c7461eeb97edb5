import * as z from 'zod';
import {
  FilterTextParameter,
  SourceIdParameter,
  StreamParameter,
  WorkflowIdParameter,
} from '../parameters.ts';
import { EventId } from '../../domain/event/event-id.ts';
import { LONGEST_TOKEN_SECONDS } from '../../domain/live/stream-limits.ts';
import { plainText } from '../../domain/text.ts';
import { route } from '../route.ts';

const LiveInput = z.object({
  event_name: StreamParameter.optional(),
  filter: FilterTextParameter,
  last_event_id: EventId.optional().describe(
    'The last event that you have: the stream goes on after it. The header `Last-Event-ID` wins.',
  ),
  token: plainText(1_024)
    .optional()
    .describe('A token of this stream, in the place of the API key: a browser sends no header.'),
});

const common = {
  group: 'live',
  method: 'GET',
  input: LiveInput,
  envelope: 'stream',
  errors: [429],
} as const;

export const live = {
  streamSourceEvents: route({
    ...common,
    path: '/v1/sources/{id}/sse',
    summary: 'The new events of a source as they come, as a stream of server-sent events.',
    parameters: z.object({ id: SourceIdParameter }),
  }),
  streamWorkflowEvents: route({
    ...common,
    path: '/v1/workflows/{workflow_id}/sse',
    summary: 'The new events of a workflow as they come, as a stream of server-sent events.',
    parameters: z.object({ workflow_id: WorkflowIdParameter }),
    isExtension: true,
  }),
};

const DEFAULT_TOKEN_SECONDS = 3_600;

const SECONDS_ERROR = `must be an integer from 1 to ${LONGEST_TOKEN_SECONDS}`;

/** A number in a body, its text in a query. */
const Seconds = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,6}$/)
        .transform(Number),
    ],
    { error: SECONDS_ERROR },
  )
  .pipe(z.int(SECONDS_ERROR).min(1, SECONDS_ERROR).max(LONGEST_TOKEN_SECONDS, SECONDS_ERROR));

export const LiveTokenInput = z.object({
  ttl_seconds: Seconds.default(DEFAULT_TOKEN_SECONDS).meta({
    description: 'The life of the token, in seconds.',
    jsonSchema: {
      type: 'integer',
      minimum: 1,
      maximum: LONGEST_TOKEN_SECONDS,
      default: DEFAULT_TOKEN_SECONDS,
    },
  }),
  event_name: StreamParameter.optional(),
});

/** Common parts of the routes that make a token. */
export const liveToken = {
  method: 'POST',
  summary: 'Makes a token with which a browser follows one live stream, without the API key.',
  input: LiveTokenInput,
  from: 'both',
  inBody: ['ttl_seconds', 'event_name'],
  example: { ttl_seconds: 600 },
  envelope: 'single',
  data: 'LiveToken',
  isExtension: true,
} as const;
