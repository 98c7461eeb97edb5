import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { type Service, startService, stopService } from '../../../support/service.ts';
import { shareAssembly } from '../../../support/share-assembly.ts';
import { Attacker } from './attacker.ts';
import { load } from './load.ts';
import { type Neighbour, startNeighbour } from './neighbour.ts';
import { canServeNames, startSilentZone } from './silent-zone.ts';

/** A service as `npm start` runs it, with two users. */
export interface World {
  service: Service;
  attacker: Attacker;
  neighbour: Neighbour;
  stop(): Promise<void>;
}

const WARM_UP_MS = 5_000;

/** The key of a new user, made as an operator makes one. */
async function newUser(dataDir: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['bin/tributary.mjs', 'admin', 'users', 'create', '--json'],
      ...['--username', name, '--email', `${name}@example.org`],
    ],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  return z.object({ api_key: z.string() }).parse(JSON.parse(stdout)).api_key;
}

export async function startWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-neighbour-'));
  const dataDir = join(folder, 'data');
  shareAssembly(dataDir);
  const zone = canServeNames ? await startSilentZone(folder) : undefined;
  const service = await startService({ dataDir, wrapper: zone?.wrapper ?? [] });
  const attacker = new Attacker(service, await newUser(dataDir, 'attacker'));
  const neighbour = await startNeighbour({ base: service.base, key: await newUser(dataDir, 'neighbour') });
  // After ordinary load, code is compiled and heaps have the size that they keep.
  for (const { attack } of load.filter(({ isOrdinary }) => isOrdinary))
    await attack(attacker, AbortSignal.timeout(WARM_UP_MS));
  await attacker.leave();
  return {
    service,
    attacker,
    neighbour,
    async stop() {
      neighbour.stop();
      await stopService(service);
      zone?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
