import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpResponse, tooLarge, tooManyBodies, tooSlow } from './http-response.ts';
import type { BodyReader } from './body-reader.ts';
import type { Received } from './event.ts';
import { type HttpApi, MAX_BODY_BYTES } from './http-api.ts';

/** The body as the function gets it, or the gateway's own response. */
type ReadRequest =
  | {
      readonly body: Buffer;
      readonly isWhole: boolean;
      /** The length of a body that was not read and had none in its headers. */
      readonly length?: number;
    }
  | {
      readonly refusal: HttpResponse;
      /** Whether the connection ends at once. Else the rest of the body is read, so that the client reads the response. */
      readonly isEnd: boolean;
    };

const EMPTY = Buffer.alloc(0);

interface ReadBodyOptions {
  received: Pick<Received, 'method' | 'path' | 'rawHeaders' | 'sourceIp'>;
  api: HttpApi | undefined;
  bodies: BodyReader;
}

/**
 * Reads the body if the route's limit allows its length. A larger body is not read, and the function answers: it gets the request without
 * the body, and the length in `content-length`.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { received, api, bodies }: ReadBodyOptions,
): Promise<ReadRequest> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0'))
    return { body: EMPTY, isWhole: true };
  const isExpecting = request.headers.expect !== undefined;
  const refused = (refusal: HttpResponse): ReadRequest => ({
    refusal: api?.withCorsOf(received, refusal) ?? refusal,
    isEnd: isExpecting,
  });
  if (Number(length) > MAX_BODY_BYTES) return refused(tooLarge);
  const limit = api?.bodyLimitOf(received) ?? 0;
  if (Number(length) > limit) return { body: EMPTY, isWhole: false };
  if (isExpecting) response.writeContinue();
  const body = await bodies.read(request, { limit, address: received.sourceIp });
  switch (body) {
    case 'too_slow':
      return { refusal: tooSlow, isEnd: true };
    case 'no_room':
      return refused(tooManyBodies);
    case 'too_large': {
      if (limit >= MAX_BODY_BYTES) return refused(tooLarge);
      // A body without a length: what was read exceeds the limit.
      return { body: EMPTY, isWhole: false, length: limit + 1 };
    }
    default:
      return { body, isWhole: true };
  }
}
