import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:https';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { registryAgent } from '../../../../functions/builder/packages/registry-agent.ts';
import { until } from '../../../support/until.ts';

let server: ChildProcess | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.kill('SIGKILL');
});

/**
 * A port where connections are neither taken nor refused: its process stands still, and its queue of connections is
 * full.
 */
async function silentPort(): Promise<number> {
  const program = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port); })`;
  server = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout ?? expect.fail(), 'data')) as [Buffer];
  const port = Number(String(line));
  server.kill('SIGSTOP');
  await until('a connection waits', () => {
    sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
    return sockets.filter(({ connecting }) => connecting).length > 10;
  });
  return port;
}

/** npm would wait a minute, and the request would be answered with 503 meanwhile. */
test('an address that does not answer is given up early', async () => {
  const port = await silentPort();
  const agent = registryAgent({ allowPrivate: true, allowList: [] }, { connectMs: 50 });
  const request = get(`https://127.0.0.1:${port}/many`, { agent });
  await expect(once(request, 'response')).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: `connect ETIMEDOUT 127.0.0.1:${port}`,
  });
});
