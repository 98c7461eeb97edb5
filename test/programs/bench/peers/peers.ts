import { type LoadedProgram } from '../closed-loop.ts';
import { startPipeline } from '../pipeline.ts';
import { residentMb } from '../process-measurements.ts';
import { alternateRounds } from '../rounds.ts';
import { startFloor, startFloorWithFetch } from './floor.ts';
import { startNodeRed } from './node-red.ts';
import type { PeerRounds } from './peer-table.ts';

export interface PeersOptions {
  readonly rounds: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 8;
const WEBHOOKS = [1, 10];
const LOAD = { connections: 32, underWay: 1_000 };
const TEXT = JSON.stringify('x'.repeat(100));

const PROGRAMS: readonly [string, (webhooks: number) => Promise<LoadedProgram>][] = [
  ['Tributary', (webhooks) => startPipeline({ webhooks })],
  ['Node-RED', startNodeRed],
  ['floor', startFloor],
  ['floor with fetch', startFloorWithFetch],
];

/** Rounds of Tributary and of programs that do less for an event, all alive together. */
export async function peers({ rounds, seconds }: PeersOptions): Promise<PeerRounds[]> {
  const measured: PeerRounds[] = [];
  for (const webhooks of WEBHOOKS) {
    const started: LoadedProgram[] = [];
    try {
      for (const [, start] of PROGRAMS) started.push(await start(webhooks));
      const options = { rounds, seconds, warmUpSeconds: WARM_UP_SECONDS, load: LOAD, text: TEXT };
      const all = await alternateRounds(started, options);
      for (const [index, [name]] of PROGRAMS.entries()) {
        const program = started[index];
        if (program) measured.push({ name, webhooks, rounds: all[index] ?? [], mb: residentMb(program.service) });
      }
    } finally {
      for (const program of started) await program.stop();
    }
  }
  return measured;
}
