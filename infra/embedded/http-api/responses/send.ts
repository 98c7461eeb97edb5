import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from './http-response.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { OpenRequest } from '../clients/connections.ts';

/**
 * Most clients read the response only after they have sent their body. The rest of a refused body is read for this
 * time, and dropped.
 */
const DRAIN_MS = 3_000;
/** Longest time in which a client must read a response that its connection does not take at once. */
const READ_MS = 60_000;

/** Bytes of responses that clients have not read yet; of one client, half of them. */
export interface Unsent {
  readonly budget: ByteBudget;
  readonly network: string;
  readonly open: OpenRequest;
}

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { response: { status, headers, body }, unsent }: { response: HttpResponse; unsent: Unsent },
): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const bare = status === 204 || status === 304;
  response.writeHead(status, bare ? [...headers] : [...headers, 'Content-Length', String(length)]);
  if (bare || request.method === 'HEAD') response.end();
  else response.end(body);
  if (response.writableLength > 0) boundUnsent(request, response, unsent);
}

/** Closes the connection of a client that reads too slowly, and of each beyond the budget. */
function boundUnsent({ socket }: IncomingMessage, response: ServerResponse, { budget, network, open }: Unsent): void {
  const bytes = response.writableLength;
  if (!budget.take(network, bytes)) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), READ_MS).unref();
  open.whenOver(() => {
    clearTimeout(timer);
    budget.release(network, bytes);
  });
}

/**
 * Sends the whole response at once, then reads the rest of the body: closing the connection while the client sends
 * would lose the response.
 */
export async function sendBeforeEnd(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): Promise<void> {
  response.shouldKeepAlive = false;
  response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(body))]);
  if (request.method !== 'HEAD') response.write(body);
  else response.flushHeaders();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS);
    const sent = () => {
      clearTimeout(timer);
      resolve();
    };
    request.removeAllListeners('data').once('end', sent).once('close', sent).resume();
  });
  response.end();
}
