import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { residentMb } from './process-measurements.ts';

/** Requests per second of a read and of a write of the API, with 32 clients; and what an idle service needs. */
export async function apiRates(): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const firstAt = Date.now();
  const first = await startService({ dataDir, readyWithinMs: 120_000 });
  const firstStartMs = Date.now() - firstAt;
  await stopService(first);
  const againAt = Date.now();
  const service = await startService({ dataDir, readyWithinMs: 120_000 });
  const startAgainMs = Date.now() - againAt;
  const idleMb = residentMb(service);
  const pool = new Pool(service.origin, { connections: 32 });
  const rate = async (method: 'GET' | 'POST', path: (n: number) => string, count: number) => {
    let next = 0;
    const startedAt = Date.now();
    const client = async () => {
      while (next < count) {
        const { statusCode, body } = await pool.request({
          method,
          path: path((next += 1)),
          headers: { authorization: `Bearer ${TEST_KEY}` },
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${method} ${path(0)} answered ${statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, client));
    return Math.round(count / ((Date.now() - startedAt) / 1000));
  };
  try {
    return {
      firstStartMs,
      startAgainMs,
      idleMb,
      writesPerSecond: await rate('POST', (n) => `/v1/webhooks?url=http://127.0.0.1:1/${n}`, 900),
      readsPerSecond: await rate('GET', () => '/v1/users/me/webhooks', 4_000),
    };
  } finally {
    await pool.destroy();
    await stopService(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
