import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Ways in which the receiver of a webhook is bad: it answers nothing, answers 500, or sends a byte a second without
 * end.
 */
export const BAD_WAYS = ['hang', 'fail', 'drip'] as const;
type BadWay = (typeof BAD_WAYS)[number];

const responses: Readonly<Record<BadWay, (response: ServerResponse) => void>> = {
  hang: () => undefined,
  fail: (response) => void response.writeHead(500).end(),
  drip(response) {
    response.writeHead(500).flushHeaders();
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => {
      clearInterval(timer);
    });
  },
};

/** A server on a free port that answers 200 until it turns bad in the way that the path names. */
export async function startBadReceivers(): Promise<{
  url(way: BadWay): string;
  /** Requests that were not answered well. */
  readonly requests: number;
  turnBad(): void;
  turnGood(): void;
  stop(): void;
}> {
  let requests = 0;
  let areBad = false;
  const server: Server = createServer((request, response) => {
    if (areBad) requests += 1;
    request.resume();
    const way = BAD_WAYS.find((each) => request.url?.startsWith(`/${each}`)) ?? 'fail';
    if (areBad) responses[way](response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (way) => `http://127.0.0.1:${port}/${way}`,
    get requests() {
      return requests;
    },
    turnBad() {
      areBad = true;
    },
    turnGood() {
      areBad = false;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
