import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../bin/tributary/session/api.ts';
import { createSend } from '../../../shared/client/send.ts';

/** Accepts requests and never answers. */
const server = createServer(() => undefined);
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

/** Starts a request, and collects the garbage once the server has it. */
async function started<T>(start: () => Promise<T>): Promise<{ sent: Promise<T> }> {
  const received = new Promise((resolve) => server.once('request', resolve));
  const sent = start();
  sent.catch(() => undefined);
  await received;
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await setImmediate();
  }
  return { sent };
}

test("the client's request ends at its time after the garbage was collected", async () => {
  const send = createSend(
    // The server must get the request before.
    { timeoutMs: 3_000, retries: 0 },
    { wait: () => Promise.resolve(), now: () => 0, random: () => 1 },
  );
  const { sent } = await started(() => send(new Request(url)));
  await expect(sent).rejects.toMatchObject({ code: 'no_answer' });
});

test('a request of the command line can be interrupted after the garbage was collected', async () => {
  const interruption = new AbortController();
  const { signal } = interruption;
  const ignore = () => undefined;
  const api = createApi({ base: `${url}/v1`, key: 'k', fetch, debug: ignore, note: ignore });
  const { sent } = await started(() => api.get('/users/me', z.unknown(), { signal }));
  interruption.abort(new Error('Ctrl-C'));
  await expect(sent).rejects.toThrow('Ctrl-C');
});
