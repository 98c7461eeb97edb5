import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, tooLarge, tooManyBodies, tooSlow } from './answer.ts';
import type { BodyReader } from './body-reader.ts';
import type { Received } from './event.ts';
import { type HttpApi, MAX_BODY_BYTES } from './http-api.ts';

/** A request with what the function gets of its body, or the gateway's own answer. */
type ReadRequest =
  | { readonly received: Received; readonly isWhole: boolean }
  | {
      readonly refusal: Answer;
      /** Whether the connection ends at once. Else the rest of the body is read, so that the client reads the answer. */
      readonly isEnd: boolean;
    };

interface ReadBodyOptions {
  received: Omit<Received, 'body'>;
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
  const empty = { ...received, body: Buffer.alloc(0) };
  if (encoding === undefined && (length === undefined || length === '0'))
    return { received: empty, isWhole: true };
  const isExpecting = request.headers.expect !== undefined;
  const refused = (refusal: Answer): ReadRequest => ({
    refusal: api?.withCorsOf(received, refusal) ?? refusal,
    isEnd: isExpecting,
  });
  if (Number(length) > MAX_BODY_BYTES) return refused(tooLarge);
  const limit = api?.bodyLimitOf(received) ?? 0;
  if (Number(length) > limit) return { received: empty, isWhole: false };
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
      const rawHeaders = [...received.rawHeaders, 'content-length', String(limit + 1)];
      return { received: { ...empty, rawHeaders }, isWhole: false };
    }
    default:
      return { received: { ...received, body }, isWhole: true };
  }
}
