import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import * as z from 'zod';
import { serveFiles } from '../../support/files-over-http.ts';
import { descendants, type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Measures the speed of the component runtime through the public interface of a service of its own. */

const WARM_RUNS = 300;
const IDLE_SOURCES = 50;
/** Children may be kept for a moment after their last run. */
const IDLE_AFTER_MS = 20_000;
const FIRST_RUNS = 20;
const SECOND_SOURCES = 15;

const component = (name: string) => `export default {
  name: '${name}', version: '0.0.1', props: { http: '$.interface.http', db: '$.service.db' },
  run(event) { this.$emit(event.body); },
};`;

/** A component with packages to install and bundle, and a file beside it. */
const FILES = {
  '/source.mjs': `import _ from 'lodash';
    import axios from 'axios';
    import { name } from './common.mjs';
    export default {
      name, version: '0.0.1', props: { http: '$.interface.http' },
      run(event) { this.$emit({ camel: _.camelCase(event.body.text), axios: typeof axios.get }); },
    };`,
  '/common.mjs': `export const name = 'Packages';`,
};

const Created = z.object({
  data: z.object({
    id: z.string(),
    configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }),
  }),
});
const Summaries = z.object({ data: z.array(z.object({ event: z.looseObject({ n: z.number() }) })) });

type Selector = { component_code: string } | { component_url: string };

interface Source {
  id: string;
  path: string;
}

class Client {
  readonly #api: Pool;
  readonly #ingress: Pool;

  constructor({ origin, ingress }: Service) {
    this.#api = new Pool(origin, { connections: 4 });
    this.#ingress = new Pool(ingress, { connections: 4 });
  }

  async request(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const isOfApi = path.startsWith('/v1');
    const { statusCode, body: response } = await (isOfApi ? this.#api : this.#ingress).request({
      method,
      path,
      headers: {
        ...(isOfApi ? { authorization: `Bearer ${TEST_KEY}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (statusCode === 503) return this.request(method, path, body);
    if (statusCode !== 200) throw new Error(`${method} ${path} answered ${statusCode}: ${text}`);
    return JSON.parse(text);
  }

  async deploy(selector: Selector): Promise<Source> {
    const { data } = Created.parse(await this.request('POST', '/v1/sources', selector));
    return { id: data.id, path: new URL(data.configured_props.http.endpoint_url).pathname };
  }

  /** From the request to its endpoint until its event can be read, in ms: what is asked about is a part of it. */
  async run({ id, path }: Source, n: number): Promise<number> {
    const startedAt = performance.now();
    await this.request('POST', path, { n });
    for (;;) {
      const { data } = Summaries.parse(await this.request('GET', `/v1/sources/${id}/event_summaries?limit=1`));
      if (data[0]?.event.n === n) return performance.now() - startedAt;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#api.destroy(), this.#ingress.destroy()]);
  }
}

interface Memory {
  processes: number;
  /** Proportional: pages that several processes share count once. */
  pssMb: number;
  rssMb: number;
}

/** Memory of the service and of its child processes. */
function memoryOf({ process: { pid = 0 } }: Service): Memory {
  const all = [pid, ...descendants(pid)].flatMap((one) => {
    try {
      const text = readFileSync(`/proc/${one}/smaps_rollup`, 'utf8');
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
      return [{ pss: kilobytes('Pss'), rss: kilobytes('Rss') }];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
  const mb = (part: 'pss' | 'rss') => Math.round(all.reduce((sum, one) => sum + one[part], 0) / 1024);
  return { processes: all.length, pssMb: mb('pss'), rssMb: mb('rss') };
}

const at = (sorted: readonly number[], share: number) =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;

function spread(durations: readonly number[]) {
  const sorted = durations.toSorted((a, b) => a - b);
  return { p50Ms: at(sorted, 0.5), p90Ms: at(sorted, 0.9), mostMs: at(sorted, 0.999) };
}

async function timed<T>(work: () => Promise<T>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Builds of content that was built before: whole `POST /components` and `POST /sources`. */
async function secondSources(client: Client, selector: Selector) {
  await client.deploy(selector);
  const components = [];
  const sources = [];
  for (let n = 0; n < SECOND_SOURCES; n += 1) {
    components.push(await timed(() => client.request('POST', '/v1/components', selector)));
    sources.push(await timed(() => client.deploy(selector)));
  }
  return { component: spread(components), source: spread(sources) };
}

export async function runtime(): Promise<Record<string, unknown>[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const service = await startService({ dataDir, readyWithinMs: 120_000 });
  const client = new Client(service);
  const files = await serveFiles(dataDir);
  for (const [path, text] of Object.entries(FILES)) files.texts.set(path, text);
  try {
    const warm = await client.deploy({ component_code: component('Warm') });
    for (let n = 1; n <= WARM_RUNS; n += 1) await client.run(warm, n);
    const runs = [];
    for (let n = 1; n <= WARM_RUNS; n += 1) runs.push(await client.run(warm, WARM_RUNS + n));

    const idle = [];
    for (let n = 0; n < IDLE_SOURCES; n += 1)
      idle.push(await client.deploy({ component_code: component(`Idle ${n}`) }));
    for (const source of idle) await client.run(source, 1);
    const busyMemory = memoryOf(service);
    const before = Date.now();
    await until('they are idle', () => Date.now() - before > IDLE_AFTER_MS, {
      withinMs: 60_000,
      everyMs: 1_000,
    });
    const idleMemory = memoryOf(service);
    const first = [];
    // As far apart as triggers of idle sources are.
    for (const source of idle.slice(0, FIRST_RUNS)) {
      first.push(await client.run(source, 2));
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const plain = await secondSources(client, { component_code: component('Second') });
    const packages = await secondSources(client, { component_url: `${files.origin}/source.mjs` });
    return [
      { what: 'warm run: request → event readable', promise: 'p50 ≤ 10 ms', ...spread(runs) },
      { what: `first run of an idle one of ${IDLE_SOURCES}`, promise: '≤ 250 ms', ...spread(first) },
      { what: 'second source of a code: build (POST /components)', promise: '≤ 50 ms', ...plain.component },
      { what: 'the same: whole POST /sources', promise: '', ...plain.source },
      { what: 'the same, by address, with packages: build', promise: '≤ 50 ms', ...packages.component },
      { what: 'the same, by address, with packages: whole POST /sources', promise: '', ...packages.source },
      { what: `${IDLE_SOURCES} sources just after a run of each`, promise: '', ...busyMemory },
      { what: `${IDLE_SOURCES} idle sources, service and children`, promise: '≤ 400 MB', ...idleMemory },
    ];
  } finally {
    await client.close();
    await files.stop();
    await stopService(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
