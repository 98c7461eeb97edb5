import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { residentMb } from './process-measurements.ts';
import { RawClient, startSink } from './raw-http.ts';

/** The effect of a flood on the service. Memory is that of the service's own process. */
interface Flood {
  flood: string;
  accepted: number;
  refused: number;
  delivered: number;
  seconds: number;
  idleMb: number;
  peakMb: number;
}

const Created = z.object({ data: z.looseObject({ id: z.string() }) });
const Endpoint = z.object({ configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }) });

const EMITTING = `export default {
  name: 'Emitting', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body: { count } }) { for (let n = 0; n < count; n += 1) this.$emit({ n, text: 'x'.repeat(100) }); },
};`;
const SLOW = `export default {
  name: 'Slow', version: '0.0.1', props: { http: '$.interface.http' },
  async run({ body }) { await new Promise((resolve) => setTimeout(resolve, 200)); this.$emit(body); },
};`;

/** A service of its own for each flood, so that no flood inherits the memory of another. */
async function flooded(
  flood: string,
  play: (world: World) => Promise<{ accepted: number; refused?: number }>,
  program?: string,
): Promise<Flood> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-floods-'));
  const sink = await startSink();
  const service = await startService({ dataDir, ...(program === undefined ? {} : { program }) });
  const world = new World(service, sink.url);
  sink.onBody = () => (world.delivered += 1);
  try {
    await world.open();
    const idleMb = residentMb(service);
    let peakMb = idleMb;
    const sampling = setInterval(() => (peakMb = Math.max(peakMb, residentMb(service))), 100);
    const startedAt = Date.now();
    const { accepted, refused = 0 } = await play(world);
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    clearInterval(sampling);
    return { flood, accepted, refused, delivered: world.delivered, seconds, idleMb, peakMb };
  } finally {
    await stopService(service);
    sink.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

class World {
  delivered = 0;
  readonly ingress: string;
  readonly #service: Service;
  readonly #sinkUrl: string;

  constructor(service: Service, sinkUrl: string) {
    this.#service = service;
    this.#sinkUrl = sinkUrl;
    this.ingress = service.ingress;
  }

  /** A webhook that gets the events of every source. */
  async open(): Promise<void> {
    await this.webhook(0, 'dc_*');
  }

  async webhook(n: number, emitterId: string): Promise<void> {
    const { id } = await this.#post('/webhooks', { url: `${this.#sinkUrl}/${n}` });
    await this.#post('/subscriptions', { emitter_id: emitterId, listener_id: id });
  }

  /** Id and path of a new source. */
  async source(code: string): Promise<{ id: string; path: string }> {
    const data = await this.#post('/sources', { component_code: code });
    return { id: data.id, path: new URL(Endpoint.parse(data).configured_props.http.endpoint_url).pathname };
  }

  async #post(path: string, body: unknown) {
    const response = await fetch(`${this.#service.base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return Created.parse(JSON.parse(text)).data;
  }

  all(count: number): Promise<unknown> {
    return until(`${count} deliveries`, () => this.delivered >= count, { withinMs: 600_000, everyMs: 50 });
  }
}

/** Sends requests as fast as the service answers, for some seconds. */
async function press(ingress: string, path: string, seconds: number) {
  const CONNECTIONS = 64;
  const end = Date.now() + seconds * 1_000;
  const counts = { accepted: 0, refused: 0 };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new RawClient({ ingress });
      while (Date.now() < end) {
        const status = await client.post(path, `{"text":"${'x'.repeat(1_000)}"}`);
        counts[status === 200 ? 'accepted' : 'refused'] += 1;
      }
      client.close();
    }),
  );
  return counts;
}

/**
 * Memory and time of floods. `pressSeconds` is the duration of the flood of requests; a source refuses them once 50,000
 * wait for it.
 */
export async function floods({ pressSeconds = 200 } = {}): Promise<Flood[]> {
  return [
    await flooded('a run emits 10,000 events', async (world) => {
      const { path } = await world.source(EMITTING);
      await new RawClient(world).post(path, '{"count":10000}');
      await world.all(10_000);
      return { accepted: 1 };
    }),
    await flooded('100 events to 1,000 webhooks', async (world) => {
      const { id, path } = await world.source(EMITTING);
      for (let n = 1; n < 1_000; n += 1) await world.webhook(n, id);
      await new RawClient(world).post(path, '{"count":100}');
      await world.all(100_000);
      return { accepted: 1 };
    }),
    await flooded(
      '4 events to 5,000 webhooks',
      async (world) => {
        const { id, path } = await world.source(EMITTING);
        for (let n = 1; n < 5_000; n += 1) await world.webhook(n, id);
        await new RawClient(world).post(path, '{"count":4}');
        await world.all(20_000);
        return { accepted: 1 };
      },
      join(import.meta.dirname, 'start-with-limits.ts'),
    ),
    await flooded('100 sources emit 100 events each at once', async (world) => {
      const paths: string[] = [];
      for (let n = 0; n < 100; n += 1) paths.push((await world.source(EMITTING)).path);
      await Promise.all(paths.map((path) => new RawClient(world).post(path, '{"count":100}')));
      await world.all(10_000);
      return { accepted: 100 };
    }),
    await flooded(`requests of 1 KB for ${pressSeconds} s to a source that runs 5 a second`, async (world) => {
      const { path } = await world.source(SLOW);
      return press(world.ingress, path, pressSeconds);
    }),
  ];
}
