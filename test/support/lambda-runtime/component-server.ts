import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A web server for components and their bundles: texts by path, uploads, and requests that wait until a test answers
 * them.
 */
export async function componentServer() {
  const texts = new Map<string, string>();
  const uploads = new Map<string, Buffer>();
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const { method, url = '/' } = request;
    if (method === 'PUT') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        uploads.set(url, Buffer.concat(chunks));
        response.end();
      });
    } else if (url === '/wait') held.push(response);
    else if (texts.has(url)) response.end(texts.get(url));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    uploads,
    /** Serves a text; returns its address. */
    serve(path: string, text: string): string {
      texts.set(path, text);
      return `${origin}${path}`;
    },
    /** How many requests of `/wait` have no response yet. */
    get waiting(): number {
      return held.length;
    },
    respondToWaiting(): void {
      for (const response of held.splice(0)) response.end('now');
    },
  };
}
