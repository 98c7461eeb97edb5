import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './clients/connections.ts';
import type { RefusalLog } from './responses/refusal-log.ts';
import { newRequestId } from './request-id.ts';
import { parserRefusal, type Refusal, refusalResponse } from './responses/refusal.ts';

/** A client reads the response within this time. */
const CLOSE_MS = 3_000;

/**
 * Answers bytes that Node's parser does not take, and closes the connection. The responses to complete requests before
 * them come first: a client would take the error for one of theirs.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { connections, log }: { connections: Connections; log: RefusalLog },
): void {
  const connection = connections.find(socket);
  if (!connection || !socket.writable) {
    socket.destroy();
    return;
  }
  connection.whenAnswered(() => {
    if (!socket.writable) return;
    const refusal = parserRefusal(error.code);
    log.refused(refusal, connection.network);
    socket.end(textOf(refusal));
    setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  });
}

function textOf(refusal: Refusal): string {
  const { status, headers, body } = refusalResponse(refusal, newRequestId());
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (let n = 0; n < headers.length; n += 2) lines.push(`${headers[n] ?? ''}: ${headers[n + 1] ?? ''}`);
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n${body.toString()}`;
}
