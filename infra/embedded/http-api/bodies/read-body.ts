import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { MAX_BODY_BYTES, type Received } from '../event.ts';
import type { HttpApi } from '../http-api.ts';
import { newRequestId } from '../request-id.ts';
import { type HttpResponse, tooLarge } from '../responses/http-response.ts';
import { bodyTooSlow, type Refusal, refusalResponse, tooManyBodies } from '../responses/refusal.ts';
import type { BodyReader } from './body-reader.ts';

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
      /**
       * Whether the connection ends at once. Otherwise the rest of the body is read, so that the client reads the
       * response.
       */
      readonly isEnd: boolean;
    };

const EMPTY = Buffer.alloc(0);

interface ReadBodyOptions {
  received: Omit<Received, 'body' | 'isBinary'>;
  api: HttpApi | undefined;
  bodies: BodyReader;
  /** The client. */
  network: string;
  /** Whether the function is asked in any case, also without a body. */
  isAsked: boolean;
  /** Asks the function whether it wants the body; undefined means yes. */
  ask: () => Promise<HttpResponse | undefined>;
  onRefused: (refusal: Refusal) => void;
}

/**
 * Reads the body if the route's limit allows its length, and if the function wants it: a request with a wrong key, or
 * to an endpoint that is not open, gets no buffer. A larger body is not read, and the function answers: it gets the
 * request without the body, and the length in `content-length`.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { received, api, bodies, network, isAsked, ask, onRefused }: ReadBodyOptions,
): Promise<ReadRequest> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasNone = encoding === undefined && (length === undefined || length === '0');
  if (hasNone && !isAsked) return { body: EMPTY, isWhole: true };
  const isExpecting = request.headers.expect !== undefined;
  const refused = (refusal: HttpResponse, isEnd = isExpecting): ReadRequest => ({
    refusal: api?.withCorsOf(received, refusal) ?? refusal,
    isEnd,
  });
  if (Number(length) > MAX_BODY_BYTES) return refused(tooLarge);
  let refusal = isAsked ? await ask() : undefined;
  if (refusal) return { refusal, isEnd: isExpecting };
  if (hasNone) return { body: EMPTY, isWhole: true };
  const limit = api?.bodyLimitOf(received) ?? 0;
  if (Number(length) > limit) return { body: EMPTY, isWhole: false };
  if (!isAsked && !(await isHere(request))) refusal = await ask();
  if (refusal) return { refusal, isEnd: isExpecting };
  if (isExpecting) response.writeContinue();
  const body = await bodies.read(request, { limit: length === undefined ? limit : Number(length), network });
  const refusedBody = (why: Refusal, isEnd?: boolean) => {
    onRefused(why);
    return refused(refusalResponse(why, newRequestId()), isEnd);
  };
  switch (body) {
    case 'too_slow':
      return refusedBody(bodyTooSlow, true);
    case 'evicted':
      return refusedBody(tooManyBodies);
    case 'too_large': {
      if (limit >= MAX_BODY_BYTES) return refused(tooLarge);
      // A body without a length: what was read exceeds the limit.
      return { body: EMPTY, isWhole: false, length: limit + 1 };
    }
    default:
      return { body, isWhole: true };
  }
}

/** Whether the body came together with the headers, as most do. */
async function isHere(request: IncomingMessage): Promise<boolean> {
  const { 'content-length': length } = request.headers;
  // Node gives the parts of what it has read to the request before promises settle, and the end of chunks in the same
  // turn.
  if (length === undefined) await setImmediate();
  else await Promise.resolve();
  return request.complete || (length !== undefined && request.readableLength >= Number(length));
}
