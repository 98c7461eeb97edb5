import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedProgram } from '../closed-loop.ts';
import { node24 } from './installed.ts';
import { startPeer, type StartedPeer } from './peer.ts';
import { printed } from './printed.ts';

/** The floor: the least that a durable event with code of its own process and a signed delivery can cost in Node. */
export const startFloor = (webhooks: number): Promise<LoadedProgram> =>
  startPeer(webhooks, (urls) => start('pool', urls));

/** The same program as most would write it: it delivers with the HTTP client that is built into Node. */
export const startFloorWithFetch = (webhooks: number): Promise<LoadedProgram> =>
  startPeer(webhooks, (urls) => start('fetch', urls));

async function start(client: 'pool' | 'fetch', urls: readonly string[]): Promise<StartedPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-floor-'));
  const program = join(import.meta.dirname, 'floor-program.ts');
  const words = ['--import', 'tsx', program, folder, client, ...urls];
  const child = spawn(await node24(), words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const [, port] = await printed(child, /^listening on (\d+)$/);
  return { process: child, ingress: `http://127.0.0.1:${port}`, path: '/in' };
}
