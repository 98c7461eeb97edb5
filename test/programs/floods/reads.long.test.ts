import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { type Deployed, ECHO, Scene } from '../../support/scene.ts';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Reads of many large events, by clients that hang up and by clients that stay (docs/isolation.md). */

const EVENTS = 40;
/** Larger than the body that an item holds: it is an object, whose reads are counted. */
const LARGE = `export default {
  name: 'Large', version: '0.0.1',
  run({ from, to }) { for (let n = from; n < to; n += 1) this.$emit({ n, text: 'x'.repeat(210_000) }); },
};`;
const NOTHING = encodeURIComponent(JSON.stringify({ n: [-1] }));
const REPLAY = `sse?last_event_id=0-0&filter=${NOTHING}`;
const FILTERED = `event_summaries?filter=${NOTHING}`;

async function store(api: ApiClient, id: string): Promise<void> {
  for (let from = 0; from < EVENTS; from += 10) await api.post(`/sources/${id}/run`, { from, to: from + 10 });
  await until(
    'all are stored',
    async () => (await api.get(`/sources/${id}/event_summaries`, { limit: 100 })).body.page_info.count === EVENTS,
  );
}

interface Sent {
  readonly socket: Socket;
  heard(): string;
}

function send(base: string, path: string, key: string): Sent {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
  socket.write(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  onTestFinished(() => void socket.destroy());
  return { socket, heard: () => heard };
}

let scene: Scene;
let source: Deployed;
beforeAll(async () => {
  scene = await Scene.open();
  source = await scene.source(LARGE);
  await store(scene.api, source.id);
});
afterAll(() => scene.close());

/** Counts the bodies that are read from now on. */
function countBodies(): () => number {
  const calls = vi.spyOn(scene.cloud.cloud.services.s3, 'call');
  onTestFinished(() => {
    calls.mockRestore();
  });
  return () => calls.mock.calls.filter(([operation]) => operation === 'GetObject').length;
}

test.each([
  ['live streams', REPLAY],
  ['event summaries', FILTERED],
  ['whole events', 'event_summaries?expand=event&limit=100'],
])('300 requests for %s whose clients hang up cost no more than a few reads', async (_, path) => {
  const bodies = countBodies();
  const sent = Array.from({ length: 300 }, () =>
    send(scene.cloud.base, `/sources/${source.id}/${path}`, scene.cloud.key),
  );
  await until('bodies are read', () => bodies() > 0);
  for (const { socket } of sent) socket.destroy();
  await until('no function works', () => !scene.isBusy());
  expect(bodies()).toBeLessThan(5 * EVENTS);
});

test('while 60 clients read everything, deliveries go on, and no client is refused with 429', async () => {
  const echo = await scene.source(ECHO);
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(echo.id, id);
  const bodies = countBodies();
  const paths = [FILTERED, REPLAY, 'event_summaries?expand=event&limit=100'];
  const sent = Array.from({ length: 60 }, (_, n) =>
    send(scene.cloud.base, `/sources/${source.id}/${paths[n % 3] ?? ''}`, scene.cloud.key),
  );
  await until('bodies are read', () => bodies() > 0);
  for (let n = 0; n < 20; n += 1) await scene.send(echo.endpoint, { n });
  await until('all are delivered', () => receiver.bodies.length >= 20);
  await until('all are answered', () =>
    sent.every(({ heard }, n) => (n % 3 === 1 ? heard().includes('event: start') : heard().includes('\r\n\r\n'))),
  );
  for (const { heard } of sent) expect(heard().slice(0, 15)).toMatch(/^HTTP\/1\.1 (200|503)/);
});

test('SIGTERM ends the service while hundreds of clients read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-reads-'));
  const service = await startService({ dataDir: join(folder, 'data') });
  onTestFinished(async () => {
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  });
  const api = await apiClient(service.base, TEST_KEY);
  const { body } = await api.post('/sources', { component_code: LARGE });
  const { id } = body.data;
  await store(api, id);
  const sent = Array.from({ length: 300 }, (_, n) =>
    send(service.base, `/sources/${id}/${n % 2 === 0 ? REPLAY : FILTERED}`, TEST_KEY),
  );
  await until('the first is answered', () => sent.some(({ heard }) => heard() !== ''));
  for (const { socket } of sent.slice(0, 100)) socket.destroy();
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
