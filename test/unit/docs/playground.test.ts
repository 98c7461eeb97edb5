import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';

/** Starts it, and waits for its first line or its end. */
async function start(port: number) {
  const child = spawn(process.execPath, ['docs/examples/playground.mjs'], {
    env: { ...process.env, PLAYGROUND_PORT: String(port) },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until('a line', () => output.endsWith('\n'));
  return { output, ended };
}

test('the playground goes on after a request that it cannot read', async () => {
  const port = await freePort();
  await start(port);
  const origin = `http://127.0.0.1:${port}`;
  const statusOf = async (path: string, options?: RequestInit) => (await fetch(`${origin}${path}`, options)).status;
  expect(await statusOf('/hook', { method: 'POST', body: 'no JSON' })).toBe(400);
  expect(await statusOf('/no-such-component.mjs')).toBe(400);
  expect(await statusOf('/orders')).toBe(200);
});

test('the playground says in one sentence that its port is taken', async () => {
  const port = await freePort();
  await start(port);
  const { output, ended } = await start(port);
  expect(output).toBe(`The port ${port} is taken: set PLAYGROUND_PORT to another one.\n`);
  expect(await ended).toBe(1);
});
