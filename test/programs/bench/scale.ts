import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Service, startService, stopService } from '../../support/service.ts';
import { createSources, createWebhooks } from './create-many.ts';
import { residentMb, usedProcessorMs } from './process-measurements.ts';

export interface ScaleRow {
  sources: number;
  webhooks: number;
  /** Until the ready line. */
  startMs: number;
  /** Processor time of the start. */
  startProcessorMs: number;
  /** Memory of the service's process when it has been idle for some seconds. */
  mb: number;
}

const INTERVAL_SECONDS = 3_600;
const IDLE_SECONDS = 5;
const STARTS = 5;

/** Start and memory of a service with many sources and webhooks that have nothing to do. */
export async function scale(counts: readonly number[]): Promise<ScaleRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-scale-'));
  const start = () =>
    startService({
      dataDir,
      readyWithinMs: 120_000,
      program: join(import.meta.dirname, 'start-with-limits.ts'),
    });
  const rows: ScaleRow[] = [];
  let running: Service | undefined;
  let existing = 0;
  try {
    for (const count of counts) {
      running = await start();
      await createSources(running, { from: existing, to: count, intervalSeconds: INTERVAL_SECONDS });
      await createWebhooks(running, { from: existing, to: count });
      existing = count;
      await delay(IDLE_SECONDS * 1000);
      await stopService(running);
      const starts: ScaleRow[] = [];
      while (starts.length < STARTS) {
        const startedAt = performance.now();
        running = await start();
        const startMs = Math.round(performance.now() - startedAt);
        const startProcessorMs = usedProcessorMs(running);
        await delay(IDLE_SECONDS * 1000);
        starts.push({ sources: count, webhooks: count, startMs, startProcessorMs, mb: residentMb(running) });
        await stopService(running);
      }
      const median = starts.toSorted((a, b) => a.startProcessorMs - b.startProcessorMs)[Math.floor(STARTS / 2)];
      if (median) rows.push(median);
    }
    return rows;
  } finally {
    if (running) await stopService(running);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
