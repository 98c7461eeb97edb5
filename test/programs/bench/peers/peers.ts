import { startPipeline } from '../pipeline.ts';
import { residentMb } from '../process-measurements.ts';
import { alternateRounds } from '../rounds.ts';
import { atFixedRates, type RateRounds } from './fixed-rates.ts';
import { startFloor, startFloorWithFetch } from './floor.ts';
import { node24 } from './installed.ts';
import { startNodeRed } from './node-red.ts';
import type { PeerRounds } from './peer-table.ts';
import { type Start, startAll } from './programs.ts';

export interface PeersOptions {
  readonly rounds: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 8;
const WEBHOOKS = [1, 10];
const LOAD = { connections: 32, underWay: 1_000 };
const TEXT = JSON.stringify('x'.repeat(100));

const TRIBUTARY: Record<string, Start> = {
  Tributary: async (webhooks) => startPipeline({ webhooks, node: await node24() }),
};
const PROGRAMS: Record<string, Start> = {
  ...TRIBUTARY,
  'Tributary on Node 20': (webhooks) => startPipeline({ webhooks }),
  'Node-RED': startNodeRed,
  floor: startFloor,
  'floor with fetch': startFloorWithFetch,
};

/** Rounds of Tributary and of programs that do less for an event, all alive together, each as fast as it goes. */
export const peers = (options: PeersOptions): Promise<PeerRounds[]> => atFullSpeed(PROGRAMS, options);

async function atFullSpeed(
  programs: Readonly<Record<string, Start>>,
  { rounds, seconds }: PeersOptions,
): Promise<PeerRounds[]> {
  const measured: PeerRounds[] = [];
  for (const webhooks of WEBHOOKS) {
    const { started, stop } = await startAll(programs, webhooks);
    try {
      const options = { rounds, seconds, warmUpSeconds: WARM_UP_SECONDS, load: LOAD, text: TEXT };
      const all = await alternateRounds(
        started.map(({ program }) => program),
        options,
      );
      for (const [index, { name, program }] of started.entries()) {
        const mb = program.processes.reduce((sum, one) => sum + residentMb(one), 0);
        measured.push({ name, webhooks, rounds: all[index] ?? [], mb });
      }
    } finally {
      await stop();
    }
  }
  return measured;
}

/** Rounds of Tributary, Node-RED and the floor at fixed rates, as far below their limits as most servers are. */
export async function quietPeers(options: PeersOptions): Promise<RateRounds[]> {
  return atFixedRates({ ...TRIBUTARY, 'Node-RED': startNodeRed, floor: startFloor }, options);
}

/** Both with a program that runs already, beside Tributary. */
export async function runningPeer(name: string, start: Start, options: PeersOptions) {
  const programs = { ...TRIBUTARY, [name]: start };
  return { fast: await atFullSpeed(programs, options), quiet: await atFixedRates(programs, options) };
}
