import * as z from 'zod';
import { FilterTextParameter, SourceIdParameter, StreamParameter, WorkflowIdParameter } from '../parameters.ts';
import { EventId } from '../../domain/event/event-id.ts';
import { DEFAULT_TOKEN_STREAMS, LONGEST_TOKEN_SECONDS, MAX_TOKEN_STREAMS } from '../../domain/live/stream-limits.ts';
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
  input: LiveInput,
  envelope: 'stream',
  errors: [429],
} as const;

export const live = {
  streamSourceEvents: route('GET', '/v1/sources/{id}/sse', {
    ...common,
    summary: 'The new events of a source as they come, as a stream of server-sent events.',
    parameters: z.object({ id: SourceIdParameter }),
  }),
  streamWorkflowEvents: route('GET', '/v1/workflows/{workflow_id}/sse', {
    ...common,
    summary: 'The new events of a workflow as they come, as a stream of server-sent events.',
    parameters: z.object({ workflow_id: WorkflowIdParameter }),
    isExtension: true,
  }),
};

const DEFAULT_TOKEN_SECONDS = 3_600;

/** A number in a body, its text in a query. */
function wholeNumber({ most, usual, description }: { most: number; usual: number; description: string }) {
  const error = `must be an integer from 1 to ${most}`;
  const text = z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number);
  return z
    .union([z.number(), text], { error })
    .pipe(z.int(error).min(1, error).max(most, error))
    .default(usual)
    .meta({ description, jsonSchema: { type: 'integer', minimum: 1, maximum: most, default: usual } });
}

export const LiveTokenInput = z.object({
  ttl_seconds: wholeNumber({
    most: LONGEST_TOKEN_SECONDS,
    usual: DEFAULT_TOKEN_SECONDS,
    description: 'The life of the token, in seconds.',
  }),
  max_streams: wholeNumber({
    most: MAX_TOKEN_STREAMS,
    usual: DEFAULT_TOKEN_STREAMS,
    description: 'Streams that the token may have open at a time. A further one ends an earlier one.',
  }),
  event_name: StreamParameter.optional(),
});

/** Common parts of the routes that make a token. */
export const liveToken = {
  summary: 'Makes a token with which a browser follows one live stream, without the API key.',
  input: LiveTokenInput,
  from: 'both',
  inBody: ['ttl_seconds', 'max_streams', 'event_name'],
  example: { ttl_seconds: 600 },
  data: 'LiveToken',
  isExtension: true,
} as const;
