import { Readable } from 'node:stream';
import type { Output } from '../call.ts';
import { chunksOf } from './body.ts';
import { readRequest } from './wire-request.ts';
import { writeError, writeOutput, type WireResponse } from './wire-response.ts';

/** The members of an SDK's `HttpRequest` that matter here. */
export interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A `requestHandler` for an SDK client whose requests end in `call` instead of a socket. Addresses are path-style. */
export function s3RequestHandler(
  call: (operation: string, input: Record<string, unknown>) => Promise<Output>,
): {
  metadata: { handlerProtocol: string };
  handle(request: SdkRequest): Promise<{ response: Omit<WireResponse, 'body'> & { body?: Readable } }>;
} {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request) {
      const { statusCode, headers, body } = await answer(request, call);
      const stream = typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body;
      return { response: { statusCode, headers, ...(stream && { body: stream }) } };
    },
  };
}

async function answer(
  { method, path, query, headers, body }: SdkRequest,
  call: (operation: string, input: Record<string, unknown>) => Promise<Output>,
): Promise<WireResponse> {
  try {
    const { operation, input } = await readRequest({
      method,
      path,
      query: Object.entries(query).flatMap(([name, value]) =>
        [value ?? ''].flat().map((one) => [name, one] as const),
      ),
      headers: withLength(headers, body),
      body: Readable.from(chunksOf(body)),
    });
    return writeOutput(operation, await call(operation, input));
  } catch (error) {
    return writeError(error, { method, path });
  }
}

/** A body whose length is known has it in a header by the time it leaves through a socket. */
function withLength(headers: SdkRequest['headers'], body: unknown): Record<string, string> {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (body === undefined || body === '') lower['content-length'] ??= '0';
  return lower;
}
