import type { Context } from 'aws-lambda';
import type { Writable } from 'node:stream';
import { LiveOutput } from '../service/live/live-output.ts';
import type { ApiEvent, ApiResult } from './exchange.ts';

/** The Lambda runtime's global for functions that stream their response. */
declare const awslambda: {
  streamifyResponse(handle: StreamingHandler): StreamingHandler;
  HttpResponseStream: {
    from(response: Writable, head: Pick<ApiResult, 'statusCode' | 'headers'>): Writable;
  };
};

type StreamingHandler = (event: ApiEvent, response: Writable, context: Context) => Promise<void>;
type Respond = (event: ApiEvent, context: Context) => Promise<ApiResult>;

/** A handler behind a function URL. The same paths without `/v1` lead to it, as Pipedream's API has them. */
export const streamedHandler = (respond: Respond): StreamingHandler =>
  awslambda.streamifyResponse(async (event, response, context) => {
    const { rawPath } = event;
    const path = rawPath.startsWith('/v1/') ? rawPath : `/v1${rawPath}`;
    const { stream, statusCode, headers, body = '' } = await respond({ ...event, rawPath: path }, context);
    const output = awslambda.HttpResponseStream.from(response, { statusCode, headers });
    if (stream) return stream(new LiveOutput(output));
    // The runtime sends status and headers with the first `write`, and never with `end`.
    output.write(body);
    output.end();
  });
