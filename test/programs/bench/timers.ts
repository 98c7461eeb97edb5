import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { allAnonymousMb, allProcessorMs, endedProcessorMs } from './process-measurements.ts';

interface Timers {
  sources: number;
  intervalSeconds: number;
  /** Length of the measurement. */
  seconds: number;
}

interface TimersRow {
  sources: number;
  'interval s': number;
  'of a core %': string;
  'most MB': number;
  'ms per run': string;
}

const CLIENTS = 8;
const SAMPLE_MS = 500;

const COMPONENT = (intervalSeconds: number) => `export default {
  key: 'ticks', name: 'Ticks', version: '0.0.1',
  props: { timer: { type: '$.interface.timer', default: { intervalSeconds: ${intervalSeconds} } } },
  run() { this.$emit({ now: Date.now() }); },
};`;

const Created = z.object({ data: z.looseObject({ component_id: z.string().optional() }) });

/**
 * Sources with a timer: nearly each tick starts a process. At level `process`, because the system does not tell the processor time of
 * processes that ended with a sandbox. Memory counts heaps and buffers of all processes.
 */
export async function timers({ sources, intervalSeconds, seconds }: Timers): Promise<TimersRow> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-timers-'));
  const service = await startService({ dataDir, env: { ISOLATION: 'process' } });
  try {
    const create = async (body: object) => {
      const response = await fetch(`${service.base}/sources`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`POST /sources: ${response.status} ${await response.text()}`);
      return Created.parse(await response.json()).data;
    };
    const { component_id } = await create({ component_code: COMPONENT(intervalSeconds), name: 'Ticks 0' });
    let next = 1;
    const client = async () => {
      for (let n = next++; n < sources; n = next++) await create({ component_id, name: `Ticks ${n}` });
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    // The work of the creation has ended, and each source has ticked.
    await delay(intervalSeconds * 1000);

    const used = () => allProcessorMs(service) + endedProcessorMs(service);
    const before = used();
    const startedAt = performance.now();
    let mostMb = 0;
    while (performance.now() - startedAt < seconds * 1000) {
      await delay(SAMPLE_MS);
      mostMb = Math.max(mostMb, allAnonymousMb(service));
    }
    const elapsed = performance.now() - startedAt;
    const ms = used() - before;
    return {
      sources,
      'interval s': intervalSeconds,
      'of a core %': ((100 * ms) / elapsed).toFixed(1),
      'most MB': mostMb,
      'ms per run': (ms / ((elapsed / 1000 / intervalSeconds) * sources)).toFixed(1),
    };
  } finally {
    await stopService(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
