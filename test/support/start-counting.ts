import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAdmin } from '../../bin/start-admin-user.ts';
import { startCloud } from '../../infra/embedded/cloud.ts';
import { Stage } from '../../infra/stage.ts';
import { templateWithoutHeartbeat } from '../../infra/stage-variables.ts';
import { synthesise } from '../../infra/synthesise.ts';
import type { StartCounting } from './counted.ts';
import { TEST_KEY } from './service.ts';

const stage = Stage.parse({
  concurrency: {
    account: 10_000,
    runs: 100,
    runnersPerBatch: 10,
    deliveries: 100,
    retries: 100,
    timers: 10,
  },
  throttle: { rate: 100_000, burst: 100_000 },
  targets: [],
  allowPrivateNetwork: true,
  logLevel: 'error',
});

export interface Counting {
  start: StartCounting;
  /** Removes the stack's files. */
  remove(): void;
}

/**
 * Synthesises the stack for programs that count without a test run. `onInvoke` gets the name of each function that is
 * invoked.
 */
export async function prepareCounting(onInvoke: (name: string) => void = () => undefined): Promise<Counting> {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const { template, ...files } = await synthesise(stage, directory);
  // The heartbeat is part of what an idle stack costs, not of an event or a poll.
  const assembly = { ...files, template: templateWithoutHeartbeat(template) };
  return {
    async start(counters) {
      const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
      const cloud = await startCloud({ ...counters, assembly, dataDir });
      for (const [name, host] of cloud.functions) {
        const invoke = host.invoke.bind(host);
        host.invoke = (invocation) => {
          onInvoke(name);
          return invoke(invocation);
        };
      }
      const { dispatch, outputs } = cloud.open;
      await ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey: TEST_KEY });
      return {
        origin: cloud.url,
        ingress: cloud.ingressUrl,
        key: TEST_KEY,
        cloud,
        async stop() {
          await cloud.stop();
          rmSync(dataDir, { recursive: true, force: true });
        },
      };
    },
    remove() {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
