import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to sockets without one of their own: no other test gets it before it is used. */
const PORTS = { first: 20_000, end: 32_768 };
/** Each worker of a run has ports of its own, which no other one gets while a test restarts a server. */
const WORKERS = 16;
const COUNT = Math.floor((PORTS.end - PORTS.first) / WORKERS);
const FIRST = PORTS.first + (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS) * COUNT;

let taken = randomInt(COUNT);

/** A port without a listener, which no socket gets by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((taken += 1) % COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
