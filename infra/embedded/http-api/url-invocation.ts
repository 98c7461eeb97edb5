import type { ClientConnection } from '../../../shared/lib/reading/client-connection.ts';
import type { Invocation } from '../lambda/invocation.ts';
import type { Outcome } from '../lambda/outcome.ts';
import { HTTP_RESPONSE, type ResponseStream } from '../lambda/response-stream.ts';
import { badGateway, type HttpResponse, responseOf } from './responses/http-response.ts';
import { StreamedBody } from './responses/streamed-body.ts';

/** A response whose body comes in pieces. */
export interface StreamedResponse extends Omit<HttpResponse, 'body'> {
  readonly body: StreamedBody;
}

export interface UrlRequest {
  readonly event: unknown;
  readonly client: ClientConnection;
}

/** Between status and headers, as JSON, and the body. */
const SEPARATOR = Buffer.alloc(8);

/**
 * Invokes a function as its URL does in the mode `RESPONSE_STREAM`. Resolves with the beginning of the response. A
 * client that goes before it ends the response, too.
 * https://docs.aws.amazon.com/lambda/latest/dg/response-streaming-tutorial.html
 */
export function invokeByUrl(
  invoke: (invocation: Invocation) => Promise<Outcome>,
  { event, client }: UrlRequest,
): Promise<HttpResponse | StreamedResponse> {
  return new Promise((resolve) => {
    let response: ResponseStream | undefined;
    let head: Buffer | undefined = Buffer.alloc(0);
    const body = new StreamedBody(() => response?.destroy());

    function piece(chunk: Buffer): Promise<void> | undefined {
      if (head === undefined) return body.push(chunk);
      if (response?.contentType !== HTTP_RESPONSE) {
        open({ statusCode: 200, headers: { 'content-type': response?.contentType ?? '' } });
        return body.push(chunk);
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(SEPARATOR);
      if (end < 0) return undefined;
      const rest = head.subarray(end + SEPARATOR.length);
      open(JSON.parse(head.toString('utf8', 0, end)) as unknown);
      return rest.length > 0 ? body.push(rest) : undefined;
    }

    function open(prelude: unknown): void {
      head = undefined;
      const { status, headers } = responseOf(prelude);
      resolve({ status, headers, body });
    }

    const onOpen = (opened: ResponseStream) => {
      response = opened;
      client.whenOver(() => opened.destroy());
    };
    invoke({ event, client, piece, onOpen }).then(
      (outcome) => {
        if (head !== undefined) resolve(badGateway);
        body.end(outcome.ok && response?.writableFinished === true);
      },
      () => {
        resolve(badGateway);
      },
    );
  });
}
