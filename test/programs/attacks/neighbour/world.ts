import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newUser } from '../../../support/new-user.ts';
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
