import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { allAnonymousMb, anonymousMb } from '../bench/process-measurements.ts';
import { until } from '../../support/until.ts';
import { neighbourAttacks } from './neighbour/attacks.ts';
import type { Neighbour } from './neighbour/neighbour.ts';
import { type Observations, TICK_EVERY_MS } from './neighbour/observations.ts';
import { startWorld, type World } from './neighbour/world.ts';

/**
 * While one user attacks, another user's requests, deliveries and timers go on; afterwards the memory is free again.
 */

const ATTACK_MS = 6_000;
/** The machine is measured without an attack, before the first and after each. */
const QUIET_MS = 2_000;
const LONGEST_REQUEST_MS = 300;
const LONGEST_DELIVERY_MS = 2_000;
/** The next tick, and a delay that a user would not notice. */
const LONGEST_WITHOUT_TICK_MS = TICK_EVERY_MS + 3_000;
/** The p99 of the yardstick on an idle machine is below this. A machine that needs longer is slower by the quotient. */
const YARDSTICK_MS = 15;
/** A machine that is slower than this is busy with something else: the second try may find it idle. */
const LARGEST_FACTOR = 4;
const MEMORY_FACTOR = 1.2;
const MEMORY_WITHIN_MS = 60_000;

let world: World | undefined;
/** Memory of the service before any attack. A garbage collection may leave less before the next one. */
let usualMb = 0;
/** The neighbour without an attack, before the next one. */
let quiet: Observations;

beforeEach(async () => {
  if (world) return;
  world = await startWorld();
  usualMb = allAnonymousMb(world.service);
  quiet = await withoutAttack(world.neighbour);
});
afterAll(async () => {
  await world?.stop();
});

/** How much slower than an idle machine this one is; 1 if it is not. */
const factorOf = ({ yardstickP99Ms }: { yardstickP99Ms: number }): number =>
  Math.min(LARGEST_FACTOR, Math.max(1, yardstickP99Ms / YARDSTICK_MS));

async function withoutAttack(neighbour: Neighbour): Promise<Observations> {
  await neighbour.report();
  await passed(QUIET_MS);
  return neighbour.report();
}

/** With one decimal. */
const ratio = (attacked: number, without: number): number => Math.round((10 * attacked) / without) / 10;

const rows = neighbourAttacks.map(({ name, attack }) => [name, attack] as const);

test.for(rows)('a neighbour does not notice: %s', { retry: 1 }, async ([name, attack]) => {
  if (world === undefined) throw new Error('The service did not start.');
  const { service, attacker, neighbour } = world;
  // The next attack gets a service that this one has not touched.
  onTestFailed(async () => {
    await world?.stop();
    world = undefined;
  });
  const memoryMb = Math.max(usualMb, allAnonymousMb(service));
  const stop = new AbortController();
  const attacking = attack(attacker, stop.signal);
  let [peakMb, ownPeakMb] = [0, 0];
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, allAnonymousMb(service));
    ownPeakMb = Math.max(ownPeakMb, anonymousMb(service));
  }, 500);
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
    { withinMs: MEMORY_WITHIN_MS * Math.max(factorOf(quiet), factorOf(observed)), everyMs: 500 },
  ).catch(() => false);
  const freeAfterSeconds = Math.round((performance.now() - leftAt) / 1000);
  const before = quiet;
  quiet = await withoutAttack(neighbour);
  const factor = Math.max(...[before, observed, quiet].map(factorOf));
  const measurements = {
    attempts,
    'requests p99': observed.p99Ms,
    'p50 ÷ without attack': ratio(observed.p50Ms, before.p50Ms),
    'p99 ÷ without attack': ratio(observed.p99Ms, before.p99Ms),
    slowest: observed.slowestMs,
    'slowest delivery': observed.slowestDeliveryMs,
    'without tick': observed.longestWithoutTickMs,
    'MB before': memoryMb,
    peak: peakMb,
    'own peak': ownPeakMb,
    after: afterMb,
    'free after s': freeAfterSeconds,
    'slower machine': Math.round(factor * 10) / 10,
  };
  const context = JSON.stringify({ ...measurements, failures: observed.failures.slice(0, 5) });
  console.info(`${name}: ${context}`);
  expect(attempts, context).toBeGreaterThan(0);
  expect(observed.failures, context).toEqual([]);
  expect(observed.requests, context).toBeGreaterThan(100);
  expect(observed.p99Ms, context).toBeLessThan(LONGEST_REQUEST_MS * factor);
  expect(observed.slowestDeliveryMs, context).toBeLessThan(LONGEST_DELIVERY_MS * factor);
  expect(observed.ticks, context).toBeGreaterThan(0);
  expect(observed.longestWithoutTickMs, context).toBeLessThan(LONGEST_WITHOUT_TICK_MS * factor);
  expect(isFree, context).toBe(true);
});
