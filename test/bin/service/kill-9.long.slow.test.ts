import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { repetitions } from '../../support/repetitions.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Service, TEST_KEY, descendants, isAlive, startService, stopService } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

const ROUNDS = repetitions(3, 6);
/** Each batch has a line in the log. */
const env = { LOG_LEVEL: 'info' };
const BURST = 2_000;
const CONNECTIONS = 32;

const component = (code = '') => `export default {
  name: 'Burst', version: '0.0.1', props: { http: '$.interface.http' },
  async run(event) { ${code} this.$emit({ n: event.body.n }); },
};`;

let dataDir: string;
let receiver: Receiver;
let service: Service;
const delivered = new Set<string>();
/** Ids under which each number was delivered. */
const idsOf = new Map<string, Set<string>>();
let onCalled: () => void = () => undefined;

const Created = z.object({
  data: z.object({ id: z.string(), configured_props: z.record(z.string(), z.unknown()) }),
});

async function api(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${service.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${TEST_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json: unknown = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(200);
  return json;
}

/**
 * Sends until the service dies or the burst ends; resolves with the numbers that got a 2xx. A source with a long
 * backlog answers 429.
 */
async function burst(
  endpoint: string,
  round: number | string,
  onResponse: (responses: number) => void,
): Promise<string[]> {
  const { origin, pathname } = new URL(endpoint);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const acknowledged: string[] = [];
  let [next, responses] = [0, 0];
  const worker = async () => {
    while (next < BURST) {
      const n = `${round}-${next++}`;
      try {
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: pathname,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ n }),
        });
        await body.dump();
        if (statusCode >= 200 && statusCode < 300) acknowledged.push(n);
        onResponse((responses += 1));
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  await pool.destroy();
  return acknowledged;
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tributary-kill-'));
  receiver = await Receiver.start();
  receiver.onReceived = ({ body, headers, url }) => {
    if (url.endsWith('/called')) {
      onCalled();
      return;
    }
    const { n } = z.object({ n: z.string() }).parse(JSON.parse(body));
    delivered.add(n);
    const ids = idsOf.get(n) ?? new Set();
    idsOf.set(n, ids.add(`${String(headers['x-tributary-event-id'])} ${String(headers['webhook-id'])}`));
  };
  shareAssembly(dataDir);
  service = await startService({ dataDir, env });
});

afterAll(async () => {
  await stopService(service);
  await receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes a source whose events the receiver gets. Resolves with the path of its endpoint. */
async function delivering(code: string): Promise<string> {
  const source = Created.parse(await api('POST', '/sources', { component_code: code })).data;
  const { endpoint_url: endpoint } = z.object({ endpoint_url: z.string() }).parse(source.configured_props.http);
  const webhook = z
    .object({ data: z.object({ id: z.string() }) })
    .parse(await api('POST', `/webhooks?url=${encodeURIComponent(receiver.url)}`)).data;
  await api('POST', `/subscriptions?emitter_id=${source.id}&listener_id=${webhook.id}`);
  return new URL(endpoint).pathname;
}

/** Messages of the largest batch that the service's log has. */
const largestBatch = (): number =>
  Math.max(0, ...[...service.output().matchAll(/batch\.ended.*?"messages":(\d+)/g)].map(([, count]) => Number(count)));

/** docs/embedded.md: `kill -9` loses no acknowledged event. */
test(`delivers every event that got a 2xx, though the service is killed ${ROUNDS} times in the middle of a burst`, async () => {
  const path = await delivering(component());

  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Every round ends at another moment of its burst, from the first answers to nearly the last.
    const killAt = 1 + ((round * 7919) % (BURST - 100));
    let children: number[] = [];
    const taken = await burst(`${service.ingress}${path}`, round, (responses) => {
      if (responses !== killAt) return;
      children = descendants(service.process.pid ?? 0);
      service.process.kill('SIGKILL');
    });
    expect(await service.ended).toBe('SIGKILL');
    acknowledged.push(...taken);
    await until('no child of the killed service is alive', () => children.every((pid) => !isAlive(pid)));
    service = await startService({ dataDir, env });
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  await until('everything acknowledged is delivered', () => acknowledged.every((n) => delivered.has(n)), {
    everyMs: 100,
  }).catch(() => undefined);
  expect(acknowledged.filter((n) => !delivered.has(n))).toEqual([]);
});

test('stores no event twice when the service is killed in a run of a large batch', async () => {
  receiver.respond = (_index, { url }) => (url.endsWith('/called') ? 'hang' : { status: 200 });
  const path = await delivering(
    component(`if (event.body.n === 'b-${BURST / 2}') await fetch('${receiver.url}/called').catch(() => undefined);`),
  );
  let largest = 0;
  onCalled = () => {
    largest = largestBatch();
    service.process.kill('SIGKILL');
  };
  const acknowledged = await burst(`${service.ingress}${path}`, 'b', () => undefined);
  expect(await service.ended).toBe('SIGKILL');
  expect(largest).toBeGreaterThan(10);
  onCalled = () => undefined;
  receiver.respond = () => ({ status: 200 });
  service = await startService({ dataDir, env });
  await until('everything acknowledged is delivered', () => acknowledged.every((n) => delivered.has(n)), {
    everyMs: 100,
  });
  // A repeated delivery has the ids of its event; a second event would have others.
  expect([...idsOf].filter(([, ids]) => ids.size > 1)).toEqual([]);
});
