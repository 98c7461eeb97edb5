import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { gate } from '../../support/gate.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

/** docs/backup.md: a backup of a running service has every event that was acknowledged before its command began. */

const CONNECTIONS = 8;
/**
 * Events in a second. The service refuses what is more than its rate of a source, and lags behind what is more than the
 * machine can run.
 */
const RATE = 150;
const EVENTS_BEFORE = 100;
const EVENTS_AFTER = 20;
/** Each 25th event has a body that the service keeps in a file. */
const LARGE_EVERY = 25;
const LARGE_BYTES = 400_000;

const COMPONENT = `export default {
  name: 'Load', version: '0.0.1', props: { http: '$.interface.http' },
  async run(event) { this.$emit({ n: event.body.n, pad: event.body.pad }); },
};`;

let folder: string;
let receiver: Receiver;
const services: Service[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-backup-'));
  receiver = await Receiver.start();
});

afterAll(async () => {
  for (const service of services) await stopService(service);
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<Service> {
  shareAssembly(dataDir);
  const service = await startService({ dataDir });
  services.push(service);
  return service;
}

const Created = z.object({ data: z.object({ id: z.string(), configured_props: z.unknown() }) });

async function post(service: Service, path: string, body?: unknown) {
  const response = await fetch(`${service.base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as unknown;
}

/** Makes a source whose events the receiver gets. Resolves with its endpoint. */
async function deliveringSource(service: Service): Promise<string> {
  const source = Created.parse(await post(service, '/sources', { component_code: COMPONENT })).data;
  const { http } = z.object({ http: z.object({ endpoint_url: z.string() }) }).parse(source.configured_props);
  const webhook = z
    .object({ data: z.object({ id: z.string() }) })
    .parse(await post(service, `/webhooks?url=${encodeURIComponent(receiver.url)}`)).data;
  await post(service, `/subscriptions?emitter_id=${source.id}&listener_id=${webhook.id}`);
  return http.endpoint_url;
}

/** Sends events at a steady rate until it is stopped. */
function load(endpoint: string) {
  const acknowledged: number[] = [];
  const refused: string[] = [];
  let [next, isStopped] = [0, false];
  const beganAt = performance.now();
  const isDue = () => isStopped || next < (RATE * (performance.now() - beganAt)) / 1_000;
  const connection = async () => {
    for (;;) {
      await until('the time of the next event', isDue, { everyMs: 2 });
      if (isStopped) return;
      const n = next++;
      const pad = n % LARGE_EVERY === 0 ? 'x'.repeat(LARGE_BYTES) : '';
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ n, pad }),
      });
      const text = await response.text();
      if (response.ok) acknowledged.push(n);
      else refused.push(`${response.status} ${text}`);
    }
  };
  const ended = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return {
    acknowledged,
    refused,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

const admin = (dataDir: string, ...argv: string[]) =>
  promisify(execFile)(process.execPath, ['bin/tributary.mjs', 'admin', ...argv], {
    env: { ...process.env, DATA_DIR: dataDir },
  });

const numbers = (bodies: readonly { body: string }[]) =>
  new Set(bodies.map(({ body }) => z.object({ n: z.number() }).parse(JSON.parse(body)).n));

test('a backup under load has every acknowledged event, and the service refuses none', async () => {
  const dataDir = join(folder, 'data');
  const path = join(folder, 'copy');
  const original = await start(dataDir);
  const events = load(await deliveringSource(original));
  await until('events', () => events.acknowledged.length >= EVENTS_BEFORE);

  // From now on no delivery ends before the backup: events that have not arrived must be in it.
  const { opened, open } = gate();
  const arrived = numbers(receiver.received);
  receiver.respond = () => ({ status: 200, after: opened });
  const isLarge = (n: number) => n % LARGE_EVERY === 0;
  await until('a large event that waits for its delivery', () =>
    events.acknowledged.some((n) => isLarge(n) && !arrived.has(n)),
  );
  const before = [...events.acknowledged];
  const { stdout } = await admin(dataDir, 'backup', path, '--json');
  open();
  const report = z.object({ bytes: z.number(), entries: z.number(), files: z.number() }).parse(JSON.parse(stdout));
  expect(report.files).toBeGreaterThan(0);
  expect(report.bytes).toBeGreaterThan(LARGE_BYTES);

  const { length } = events.acknowledged;
  await until('events after the backup', () => events.acknowledged.length >= length + EVENTS_AFTER);
  await events.stop();
  expect(events.refused).toEqual([]);
  await until('all events at the receiver of the original', () => {
    const delivered = numbers(receiver.received);
    return events.acknowledged.every((n) => delivered.has(n));
  });
  await stopService(original);

  const fromOriginal = receiver.received.length;
  await start(path);
  const missing = before.filter((n) => !arrived.has(n));
  expect(missing.some(isLarge)).toBe(true);
  const fromBackup = () => numbers(receiver.received.slice(fromOriginal));
  await until('the other events from the backup', () => {
    const delivered = fromBackup();
    return missing.every((n) => delivered.has(n));
  });

  // A service that does not run has backups, too.
  await admin(dataDir, 'backup', join(folder, 'stopped'));
  expect(readdirSync(join(folder, 'stopped')).sort()).toEqual(['keys', 'objects', 'store']);
  await expect(admin(dataDir, 'backup', path)).rejects.toMatchObject({
    code: 1,
    stderr: `There is something at ${path} already: remove it, or choose another path.\n`,
  });
});
