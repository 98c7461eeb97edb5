import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';

export interface RecordedRequest {
  headers: Record<string, string>;
  body: string;
}

export type Respond = (request: RecordedRequest) => {
  status?: number;
  location?: string;
  body: string;
  hangs?: boolean;
  after?: Promise<void>;
};

/** An address that records the requests of clients of AWS, and responds to each. */
export async function recorder(respond: Respond): Promise<{ address: string; requests: RecordedRequest[] }> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then(async (body) => {
      const request = { headers: incoming.headers as Record<string, string>, body };
      requests.push(request);
      const { status = 200, location, hangs = false, after, ...content } = respond(request);
      await after;
      if (!hangs) response.writeHead(status, location === undefined ? {} : { location }).end(content.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    vi.unstubAllEnvs();
  });
  const environment = { AWS_ACCESS_KEY_ID: 'OWN', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}
