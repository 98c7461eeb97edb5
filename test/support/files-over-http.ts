import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { closeServer } from './close-server.ts';

export interface FileServer {
  readonly origin: string;
  /** Paths as they were asked for. */
  readonly requested: string[];
  /** Answers instead of the files. */
  readonly texts: Map<string, string>;
  stop(): Promise<void>;
}

/** Serves the files of a folder, and texts by path, on a free port. */
export async function serveFiles(folder: string): Promise<FileServer> {
  const requested: string[] = [];
  const texts = new Map<string, string>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    requested.push(path);
    void Promise.resolve(texts.get(path) ?? readFile(join(folder, normalize(path)))).then(
      (content) => response.writeHead(200, { 'content-type': 'text/plain' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    texts,
    async stop() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
