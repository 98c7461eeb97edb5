import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { repetitions } from '../../support/repetitions.ts';
import { Receiver } from '../../support/receiver.ts';
import {
  type Service,
  TEST_KEY,
  descendants,
  isAlive,
  startService,
  stopService,
} from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

const ROUNDS = repetitions(3, 12);
const BURST = 2_000;
const CONNECTIONS = 32;

const component = `export default {
  name: 'Burst', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { this.$emit({ n: event.body.n }); },
};`;

let dataDir: string;
let receiver: Receiver;
let service: Service;
const delivered = new Set<string>();

const Created = z.object({
  data: z.object({ id: z.string(), configured_props: z.record(z.string(), z.unknown()) }),
});

async function api(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${service.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${TEST_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer: unknown = await response.json();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

/** Sends until the service dies or the burst ends; resolves with the numbers that got a 2xx. A source with a long backlog answers 429. */
async function burst(
  endpoint: string,
  round: number,
  onAnswer: (answers: number) => void,
): Promise<string[]> {
  const { origin, pathname } = new URL(endpoint);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const acknowledged: string[] = [];
  let [next, answers] = [0, 0];
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
        onAnswer((answers += 1));
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
  receiver.onReceived = ({ body }) => delivered.add(z.object({ n: z.string() }).parse(JSON.parse(body)).n);
  shareAssembly(dataDir);
  service = await startService({ dataDir });
});

afterAll(async () => {
  await stopService(service);
  await receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** design.md "Durable": `kill -9` loses nothing acknowledged; decisions "Embedded". */
test(`delivers every event that got a 2xx, though the service is killed ${ROUNDS} times in the middle of a burst`, async () => {
  const source = Created.parse(await api('POST', '/sources', { component_code: component })).data;
  const { endpoint_url: endpoint } = z
    .object({ endpoint_url: z.string() })
    .parse(source.configured_props.http);
  const webhook = z
    .object({ data: z.object({ id: z.string() }) })
    .parse(await api('POST', `/webhooks?url=${encodeURIComponent(receiver.url)}`)).data;
  await api('POST', `/subscriptions?emitter_id=${source.id}&listener_id=${webhook.id}`);
  const path = new URL(endpoint).pathname;

  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Every round ends at another moment of its burst, from the first answers to nearly the last.
    const killAt = 1 + ((round * 7919) % (BURST - 100));
    let children: number[] = [];
    const taken = await burst(`${service.ingress}${path}`, round, (answers) => {
      if (answers !== killAt) return;
      children = descendants(service.process.pid ?? 0);
      service.process.kill('SIGKILL');
    });
    expect(await service.ended).toBe('SIGKILL');
    acknowledged.push(...taken);
    await until('no child of the killed service is alive', () => children.every((pid) => !isAlive(pid)));
    service = await startService({ dataDir });
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  await until('everything acknowledged is delivered', () => acknowledged.every((n) => delivered.has(n)), {
    everyMs: 100,
  }).catch(() => undefined);
  expect(acknowledged.filter((n) => !delivered.has(n))).toEqual([]);
});
