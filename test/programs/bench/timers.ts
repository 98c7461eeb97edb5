import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, stopService } from '../../support/service.ts';
import { createSources } from './create-many.ts';
import { allAnonymousMb, usedProcessorMs } from './process-measurements.ts';

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

const SAMPLE_MS = 500;

/**
 * Sources with a timer: nearly each tick starts a process. At level `process`, because the system does not tell the
 * processor time of processes that ended with a sandbox. Memory counts heaps and buffers of all processes.
 */
export async function timers({ sources, intervalSeconds, seconds }: Timers): Promise<TimersRow> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-timers-'));
  // Node 20 would read the certificates of an operating system at each start of a process.
  const env = { ISOLATION: 'process', NODE_EXTRA_CA_CERTS: '' };
  const service = await startService({ dataDir, env });
  try {
    await createSources(service, { from: 0, to: sources, intervalSeconds });
    // The work of the creation has ended, and each source has ticked.
    await delay(intervalSeconds * 1000);

    const before = usedProcessorMs(service);
    const startedAt = performance.now();
    let mostMb = 0;
    while (performance.now() - startedAt < seconds * 1000) {
      await delay(SAMPLE_MS);
      mostMb = Math.max(mostMb, allAnonymousMb(service));
    }
    const elapsed = performance.now() - startedAt;
    const ms = usedProcessorMs(service) - before;
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
