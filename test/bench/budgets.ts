import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAdmin } from '../../bin/start-admin-user.ts';
import { startCloud } from '../../infra/embedded/cloud.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { Stage } from '../../infra/stage.ts';
import { synthesise } from '../../infra/synthesise.ts';
import { counted, type StartCounting } from '../support/counted.ts';
import { pricePerMillion } from '../support/price.ts';
import { TEST_KEY } from '../support/service.ts';

const OWN_MACHINE = { runs: 100, deliveries: 100, retries: 100, timers: 10 };

/** Invocations by function, of all clouds that were started with it. */
type Invocations = Map<string, number>;

const startWith =
  (assembly: Assembly, invocations: Invocations): StartCounting =>
  async (counters) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
    const cloud = await startCloud({ ...counters, assembly, dataDir });
    for (const [name, host] of cloud.functions) {
      const invoke = host.invoke.bind(host);
      host.invoke = (invocation) => {
        invocations.set(name, (invocations.get(name) ?? 0) + 1);
        return invoke(invocation);
      };
    }
    const { dispatch, outputs } = cloud.open;
    await ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey: TEST_KEY });
    return {
      origin: cloud.url,
      key: TEST_KEY,
      async stop() {
        await cloud.stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  };

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Units per event that AWS would bill, counted on the embedded services. */
export async function budgets(): Promise<Record<string, unknown>[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const stage = Stage.parse({
    concurrency: OWN_MACHINE,
    throttle: { rate: 100_000, burst: 100_000 },
    allowPrivateNetwork: true,
    logLevel: 'error',
  });
  const invocations: Invocations = new Map();
  const start = startWith(await synthesise(stage, directory), invocations);
  const invoked = (name: RegExp) => [...invocations].find(([key]) => name.test(key))?.[1] ?? 0;
  const rows = [];
  for (const setting of [
    { webhooks: 1, events: 1_000, batches: 'full' },
    { webhooks: 10, events: 400, batches: 'full' },
    { webhooks: 1, events: 100, batches: 'one' },
    { webhooks: 10, events: 60, batches: 'one' },
    { webhooks: 1, events: 600, batches: 'full', text: 1_000 },
  ] as const) {
    invocations.clear();
    const measurements = await counted(start, setting);
    rows.push({
      ...setting,
      writeUnits: rounded(measurements.writeUnits),
      readUnits: rounded(measurements.readUnits),
      sqsRequests: rounded(measurements.sqsRequests),
      dollarsPerMillion: rounded(pricePerMillion(measurements)),
      // Each batch of one source's triggers is one of both.
      sourceBatches: invoked(/^RunSourceFunction/),
      runnerInvocations: invoked(/^RunnerFunction/),
    });
  }
  rmSync(directory, { recursive: true, force: true });
  return rows;
}
