import type { Context } from 'aws-lambda';
import { Writable } from 'node:stream';
import { LONGEST_RESPONSE_BYTES } from '../domain/run/response-size.ts';
import { clientIn } from '../lib/reading/client-connection.ts';
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

/** The same paths without `/v1` lead to a live stream, as Pipedream's API has them. */
const versioned = (event: ApiEvent): ApiEvent =>
  event.rawPath.startsWith('/v1/') ? event : { ...event, rawPath: `/v1${event.rawPath}` };

/** A handler behind a function URL. */
export const streamedHandler = (respond: Respond): StreamingHandler =>
  awslambda.streamifyResponse(async (event, response, context) => {
    const { stream, statusCode, headers, body = '' } = await respond(versioned(event), context);
    const output = awslambda.HttpResponseStream.from(response, { statusCode, headers });
    if (stream) return stream(new LiveOutput(output));
    // The runtime sends status and headers with the first `write`, and never with `end`.
    output.write(body);
    output.end();
  });

/** A handler behind API Gateway, which gathers the response. */
export const gatheredHandler =
  (respond: Respond): Respond =>
  async (event, context) => {
    const { stream, ...result } = await respond(versioned(event), context);
    if (!stream) return result;
    const chunks: Buffer[] = [];
    let size = 0;
    const response = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > LONGEST_RESPONSE_BYTES) response.end();
        done();
      },
    });
    clientIn(context)?.whenOver(() => response.destroy());
    await stream(new LiveOutput(response));
    const text = Buffer.concat(chunks);
    // The client goes on after the last message that is whole. Base64 is never longer than Lambda allows.
    const length = size > LONGEST_RESPONSE_BYTES ? text.lastIndexOf('\n\n', LONGEST_RESPONSE_BYTES - 2) + 2 : size;
    return { ...result, body: text.toString('base64', 0, length), isBase64Encoded: true };
  };
