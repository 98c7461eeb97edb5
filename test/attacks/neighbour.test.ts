import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { allAnonymousMb } from '../bench/process-measurements.ts';
import { type Service, startService, stopService } from '../support/service.ts';
import { shareAssembly } from '../support/share-assembly.ts';
import { until } from '../support/until.ts';
import { Attacker } from './neighbour/attacker.ts';
import { neighbourAttacks } from './neighbour/attacks.ts';
import { type Neighbour, startNeighbour } from './neighbour/neighbour.ts';

/** While one user attacks, another user's requests, deliveries and timers go on; afterwards the memory is free again. */

const ATTACK_MS = 20_000;
/** The machine is measured without an attack, before and after each. */
const QUIET_MS = 3_000;
const LONGEST_REQUEST_MS = 300;
const LONGEST_DELIVERY_MS = 2_000;
/** The timer of 15 s, and a delay that a user would not notice. */
const LONGEST_WITHOUT_TICK_MS = 18_000;
/** The p99 of the yardstick on an idle machine is below this. A machine that needs longer is slower by the quotient. */
const YARDSTICK_MS = 15;
const MEMORY_FACTOR = 1.2;
const MEMORY_WITHIN_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'tributary-neighbour-'));
const dataDir = join(folder, 'data');
let service: Service;
let neighbour: Neighbour;
let attacker: Attacker;
const figures: Record<string, Record<string, number>> = {};

/** The key of a new user, made as an operator makes one. */
async function newUser(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--import', 'tsx', 'bin/admin.ts', 'users', 'create', '--json'],
      ...['--username', name, '--email', `${name}@example.org`],
    ],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  return z.object({ api_key: z.string() }).parse(JSON.parse(stdout)).api_key;
}

beforeAll(async () => {
  shareAssembly(dataDir);
  service = await startService({ dataDir });
  attacker = new Attacker(service, await newUser('attacker'));
  neighbour = await startNeighbour({ base: service.base, key: await newUser('neighbour') });
  // Code is compiled and heaps have the size that they keep.
  await neighbourAttacks[0]?.attack(attacker, AbortSignal.timeout(5_000));
});
afterAll(async () => {
  neighbour.stop();
  await stopService(service);
  rmSync(folder, { recursive: true, force: true });
  console.table(figures);
});

/** How much slower than an idle machine this one is now; 1 if it is not. */
async function slowness(): Promise<number> {
  await neighbour.report();
  await passed(QUIET_MS);
  return Math.max(1, (await neighbour.report()).yardstickP99Ms / YARDSTICK_MS);
}

test.for(neighbourAttacks)('a neighbour does not notice: $name', async ({ name, attack }) => {
  const before = await slowness();
  const memoryMb = allAnonymousMb(service);
  const stop = new AbortController();
  const attacking = attack(attacker, stop.signal);
  let peakMb = 0;
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, allAnonymousMb(service))), 500);
  // An attack ends with the signal: earlier only by an error.
  await Promise.race([passed(ATTACK_MS), attacking]);
  const observed = await neighbour.report();
  stop.abort();
  const attempts = await attacking;
  clearInterval(sampling);
  await attacker.leave();
  const leftAt = performance.now();
  let afterMb = 0;
  const isFree = await until(
    'the memory is free again',
    () => (afterMb = allAnonymousMb(service)) <= memoryMb * MEMORY_FACTOR,
    { withinMs: MEMORY_WITHIN_MS, everyMs: 500 },
  ).catch(() => false);
  const freeAfterSeconds = Math.round((performance.now() - leftAt) / 1000);
  const factor = Math.max(before, await slowness());
  figures[name] = {
    attempts,
    'requests p99': observed.p99Ms,
    slowest: observed.slowestMs,
    'slowest delivery': observed.slowestDeliveryMs,
    'without tick': observed.longestWithoutTickMs,
    'MB before': memoryMb,
    peak: peakMb,
    after: afterMb,
    'free after s': freeAfterSeconds,
    'slower machine': Math.round(factor * 10) / 10,
  };
  const context = JSON.stringify({ ...figures[name], failures: observed.failures.slice(0, 5) });
  expect(attempts, context).toBeGreaterThan(0);
  expect(observed.failures, context).toEqual([]);
  expect(observed.requests, context).toBeGreaterThan(100);
  expect(observed.p99Ms, context).toBeLessThan(LONGEST_REQUEST_MS * factor);
  expect(observed.slowestDeliveryMs, context).toBeLessThan(LONGEST_DELIVERY_MS * factor);
  expect(observed.ticks, context).toBeGreaterThan(0);
  expect(observed.longestWithoutTickMs, context).toBeLessThan(LONGEST_WITHOUT_TICK_MS * factor);
  expect(isFree, context).toBe(true);
});
