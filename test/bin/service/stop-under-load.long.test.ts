import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

const ECHO = `export default { name: 'Echo', version: '1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body); } };`;
const LONG = `export default { name: 'Long', version: '1', props: { http: '$.interface.http' },
  async run() { await new Promise((r) => setTimeout(r, 50_000)); } };`;

/** Connections that send the text again for each answer, or never read. */
function load(origin: string, text: string, { connections, isRead = true }: { connections: number; isRead?: boolean }) {
  for (let n = 0; n < connections; n += 1) {
    const socket: Socket = connect(Number(new URL(origin).port), '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.write(text);
    if (isRead) socket.on('data', () => socket.write(text));
    else socket.pause();
  }
}

test('a stop under load ends by itself with code 0, and every event that was accepted is there after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-stop-'));
  const dataDir = join(folder, 'data');
  shareAssembly(dataDir);
  const running: Service[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map(stopService));
    rmSync(folder, { recursive: true, force: true });
  });
  const first = await startService({ dataDir });
  running.push(first);
  const api = await apiClient(first.base, TEST_KEY);
  const endpointOf = async (component_code: string) => {
    const { data } = (await api.post('/sources', { component_code })).body;
    return { id: data.id as string, url: data.configured_props.http.endpoint_url as string };
  };
  const [echo, long] = [await endpointOf(ECHO), await endpointOf(LONG)];
  const send = (url: string, n: number) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"n":${n}}` });
  for (let n = 0; n < 3; n += 1) await send(long.url, n);

  const key = `Authorization: Bearer ${TEST_KEY}\r\n`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n${key}\r\n`;
  load(first.origin, get('/v1/users/me/sources').repeat(9), { connections: 100 });
  load(first.origin, get('/docs').repeat(9), { connections: 20 });
  load(first.origin, get('/docs').repeat(90), { connections: 20, isRead: false });
  load(first.origin, `POST /v1/sources HTTP/1.1\r\nHost: h\r\n${key}Content-Length: 100000\r\n\r\nx`, {
    connections: 20,
  });
  load(first.origin, 'GET / HTTP/1.1\r\nX-', { connections: 20 });

  const accepted: number[] = [];
  let isStopped = false;
  const sending = (async () => {
    for (let n = 0; n < 90 && !isStopped; n += 1) {
      const response = await send(echo.url, n).catch(() => undefined);
      if (response?.ok === true) accepted.push(n);
      else if (response === undefined) return;
      if (n === 20) first.process.kill('SIGTERM');
    }
  })();
  expect(await first.ended).toBe(0);
  isStopped = true;
  await sending;
  expect(accepted.length).toBeGreaterThan(20);

  const again = await startService({ dataDir });
  running.push(again);
  const later = await apiClient(again.base, TEST_KEY);
  const events = async (): Promise<ReadonlySet<number>> => {
    const { body } = await later.get(`/sources/${echo.id}/event_summaries`, { limit: '100' });
    return new Set(body.data.map(({ event }: { event: { n: number } }) => event.n));
  };
  await until('all accepted events', async () => {
    const seen = await events();
    return accepted.every((n) => seen.has(n));
  });
});
