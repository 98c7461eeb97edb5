import { expect, test } from 'vitest';
import { type Minute, checkPromises } from '../../../programs/bench/soak-promises.ts';

const OFFERED = 1_000;

const minute = (number: number, changes: Partial<Minute> = {}): Minute => ({
  minute: number,
  rate: OFFERED,
  p50Ms: 20,
  p99Ms: 40,
  backlog: 0,
  refused: 0,
  residentMb: 400,
  cores: 1,
  yardstickUs: 1_000,
  ...changes,
});

/** Five minutes that keep every promise, but for the changes by number of the minute. */
const soak = (changes: Record<number, Partial<Minute>> = {}): Minute[] =>
  [1, 2, 3, 4, 5].map((number) => minute(number, changes[number]));

const broken = (minutes: readonly Minute[]) =>
  checkPromises(minutes, OFFERED)
    .filter(({ holds }) => holds !== true)
    .map(({ what }) => what);

test('a steady soak keeps all seven promises', () => {
  expect(broken(soak())).toEqual([]);
  expect(checkPromises(soak(), OFFERED)).toHaveLength(7);
});

const GROWTH = 'memory, minute 5 against minute 3';
const RESIDENT = 'memory at the end';
const RATE = 'every minute delivers what it was offered';
const BACKLOG = 'backlog at the end of a minute';
const P99 = 'p99 stays flat';
const REFUSED = 'requests refused';
const COST = 'processor time per event';

test.each<[string, Record<number, Partial<Minute>>, string[]]>([
  ['memory 20 % above minute 3', { 5: { residentMb: 480 } }, []],
  ['memory more than 20 % above minute 3', { 5: { residentMb: 481 } }, [GROWTH]],
  ['memory far above minutes 1 and 2', { 1: { residentMb: 200 }, 2: { residentMb: 200 } }, []],
  ['memory high in between', { 4: { residentMb: 590 } }, []],
  ['memory just below 600 MB', { 3: { residentMb: 599 }, 5: { residentMb: 599 } }, []],
  ['memory of 600 MB', { 3: { residentMb: 600 }, 5: { residentMb: 600 } }, [RESIDENT]],
  ['98 % of the offered rate', { 4: { rate: 980 } }, []],
  ['one minute below 98 % of the offered rate', { 4: { rate: 979 } }, [RATE]],
  ['a backlog of one second', { 3: { backlog: OFFERED } }, []],
  ['one backlog of more than a second', { 3: { backlog: OFFERED + 1 } }, [BACKLOG]],
  ['a p99 of 100 ms', { 5: { p99Ms: 100 } }, []],
  ['a p99 above 100 ms and twice the first', { 5: { p99Ms: 101 } }, [P99]],
  ['a p99 of twice a slow minute 2', { 2: { p99Ms: 90 }, 5: { p99Ms: 180 } }, []],
  ['a p99 above twice a slow minute 2', { 2: { p99Ms: 90 }, 5: { p99Ms: 181 } }, [P99]],
  ['one refused request', { 2: { refused: 1 } }, [REFUSED]],
  ['20 % more processor time per event', { 5: { cores: 1.2 } }, []],
  ['more than 20 % more processor time per event', { 5: { cores: 1.21 } }, [COST]],
  ['more processor time on a slower machine', { 5: { cores: 1.5, yardstickUs: 1_400 } }, []],
  ['the same processor time on a faster machine', { 5: { yardstickUs: 600 } }, []],
  ['more processor time that slows the machine', { 5: { cores: 1.9, yardstickUs: 1_400 } }, [COST]],
  ['a high p99 on a machine that is 10 % slower', { 5: { p99Ms: 101, yardstickUs: 1_100 } }, [P99]],
  [
    'latency, backlog and rate of a minute in which the machine is slower',
    { 5: { p99Ms: 5_000, backlog: 5_000, rate: 900, yardstickUs: 1_101 } },
    [],
  ],
  ['latency of the minute after, which has the backlog', { 3: { yardstickUs: 1_101 }, 4: { p99Ms: 5_000 } }, []],
  ['latency of the second minute after', { 3: { yardstickUs: 1_101 }, 5: { p99Ms: 101 } }, [P99]],
  ['memory while the machine is slower', { 5: { residentMb: 600, yardstickUs: 2_000 } }, [GROWTH, RESIDENT]],
  ['a refused request while the machine is slower', { 5: { refused: 1, yardstickUs: 2_000 } }, [REFUSED]],
])('%s', (_, changes, expected) => {
  expect(broken(soak(changes))).toEqual(expected);
});

test('the first minute warms up: only its memory counts', () => {
  const warmUp = { rate: 1, p99Ms: 9_000, backlog: 90_000, refused: 9 };
  expect(broken(soak({ 1: warmUp }))).toEqual([]);
});

test('a machine that is slower for half of the time allows no statement about latency', () => {
  const promises = checkPromises(soak({ 3: { yardstickUs: 2_000 }, 5: { yardstickUs: 2_000 } }), OFFERED);
  const unknown = promises.filter(({ holds }) => holds === 'the machine was too unsteady to say');
  expect(unknown.map(({ what }) => what)).toEqual([RATE, BACKLOG, P99]);
  expect(unknown.every(({ measured }) => measured.endsWith('without 3 minutes because of a slower machine'))).toBe(
    true,
  );
});

test('a soak of three minutes is too short for the growth of memory', () => {
  const [growth, ...others] = checkPromises(soak().slice(0, 3), OFFERED);
  expect(growth?.holds).toBe('too short to say');
  expect(others.every(({ holds }) => holds === true)).toBe(true);
});

test('a soak of one minute is judged by this minute', () => {
  expect(broken([minute(1, { refused: 1, residentMb: 700 })])).toEqual([
    'memory, minute 1 against minute 1',
    RESIDENT,
    REFUSED,
  ]);
});

test('a soak without a minute keeps and breaks no promise', () => {
  expect(checkPromises([], OFFERED)).toEqual([]);
});
