import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { quantile } from './closed-loop.ts';

/** Pause before each save: the earlier update has ended by then. */
const PAUSE_MS = 300;

const Ready = z.object({ type: z.literal('ready'), endpoint_url: z.string() });

const answering = (text: string): string => `export default {
  name: 'Saved', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 200, body: '${text}' }); },
};
`;

/**
 * Times from the last byte of a saved file to the first response of the new code. Service and `tributary dev` have a
 * process each.
 */
export async function dev({ saves = 50 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-dev-'));
  const file = join(folder, 'saved.mjs');
  writeFileSync(file, answering('0'));
  const service = await startService({ dataDir: join(folder, 'data') });
  const command = spawn(process.execPath, [resolve('bin/tributary.mjs'), 'dev', file, '--json'], {
    env: { ...process.env, TRIBUTARY_URL: service.origin, TRIBUTARY_API_KEY: TEST_KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [first]: unknown[] = await once(createInterface({ input: command.stdout }), 'line');
    const { endpoint_url: endpoint } = Ready.parse(JSON.parse(String(first)));
    const times: number[] = [];
    for (let save = 1; save <= saves; save += 1) {
      await delay(PAUSE_MS);
      writeFileSync(file, answering(String(save)));
      const begin = performance.now();
      while ((await (await fetch(endpoint)).text()) !== String(save)) await delay(1);
      times.push(performance.now() - begin);
    }
    const sorted = Float64Array.from(times).sort();
    const [p50Ms, p95Ms, maxMs] = [0.5, 0.95, 1].map((share) => Math.round(quantile(sorted, share)));
    return { saves, p50Ms, p95Ms, maxMs };
  } finally {
    command.kill('SIGTERM');
    await once(command, 'exit');
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  }
}
