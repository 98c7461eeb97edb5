import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Unsent } from './send.ts';
import type { StreamedResponse } from '../url-invocation.ts';

/** Sends the pieces of a response as they come. The returned function ends it before its time. */
export function sendStream(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { response: { status, headers, body }, unsent }: { response: StreamedResponse; unsent: Unsent },
): () => void {
  const { budget, network, open } = unsent;
  response.writeHead(status, [...headers]);
  response.flushHeaders();
  let held = 0;
  let isOver = false;
  open.whenOver(() => {
    isOver = true;
    if (held > 0) budget.release(network, held);
  });
  body.sendTo({
    write(piece) {
      const bytes = piece.length;
      if (isOver) return Promise.resolve();
      if (!budget.take(network, bytes)) {
        socket.destroy();
        return Promise.resolve();
      }
      held += bytes;
      return new Promise((resolve) => {
        response.write(piece, () => {
          if (!isOver) {
            held -= bytes;
            budget.release(network, bytes);
          }
          resolve();
        });
      });
    },
    end(isWhole) {
      // The client of an incomplete response notices that pieces are missing.
      if (isWhole) response.end();
      else socket.destroy();
    },
  });
  return () => {
    response.end();
    body.abandon();
  };
}
