import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type RegistryResponse = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

/** A place on the web where components lie, and where bundles are put. */
export async function webSite(files: Record<string, RegistryResponse> = {}) {
  const puts = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    if (request.method === 'PUT') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        puts.set(url, Buffer.concat(chunks));
        response.end();
      });
      return;
    }
    requests.push(url);
    const file = files[url];
    if (file === undefined) response.writeHead(404).end();
    else if (typeof file === 'function') file(request, response);
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, files, puts, requests, close: () => server.close() };
}
