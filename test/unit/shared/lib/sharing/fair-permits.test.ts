import { expect, test } from 'vitest';
import { FairPermits } from '../../../../../shared/lib/sharing/fair-permits.ts';

function scene(limit: number) {
  const permits = new FairPermits(limit);
  const started: string[] = [];
  const ask = (name: string, isOnlyParty = false) => {
    const work = { party: name.charAt(0), isOnlyParty, start: () => void started.push(name) };
    permits.add(work);
    return work;
  };
  const askMany = (party: string, count: number) => Array.from({ length: count }, (_, n) => ask(`${party}${n}`));
  /** How many permits a party has got. */
  const got = (party: string) => started.filter((name) => name.startsWith(party)).length;
  return { permits, started, ask, askMany, got };
}

test('a party that wants all permits gets three quarters, and another one gets one at once', () => {
  const { askMany, got } = scene(20);
  askMany('a', 100);
  expect(got('a')).toBe(15);
  askMany('b', 100);
  expect([got('a'), got('b')]).toEqual([15, 5]);
});

test('two parties with long work leave permits to a third, and the fourth is next', () => {
  const { permits, askMany, ask, got, started } = scene(20);
  for (const party of ['a', 'b']) askMany(party, 100);
  expect(got('a') + got('b')).toBe(20);
  ask('c0');
  expect(got('c')).toBe(0);
  permits.release('a');
  permits.release('a');
  // Those that wait for longer have had a quarter.
  expect(started.at(-1)).toBe('c0');
});

test('work that waits starts one party after the other, the oldest of each first', () => {
  const { permits, ask, started } = scene(1);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name);
  for (const party of ['a', 'b', 'c', 'a', 'b']) permits.release(party);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an only party has all permits', () => {
  const { ask, got } = scene(20);
  for (let n = 0; n < 30; n += 1) ask(`a${n}`, true);
  expect(got('a')).toBe(20);
});

test('work that waits no longer gets no permit, and a party without work is forgotten', () => {
  const { permits, ask, started } = scene(1);
  ask('a1');
  const late = ask('b1');
  expect(permits.waiting).toBe(1);
  permits.remove(late);
  permits.remove(late);
  expect(permits.waiting).toBe(0);
  permits.release('a');
  expect(started).toEqual(['a1']);
  expect(permits.isIdle).toBe(true);
});

test('thousands of pieces of work that end at once take no stack', () => {
  const permits = new FairPermits(1);
  let ended = 0;
  const work = {
    party: 'a',
    isOnlyParty: false,
    start: () => {
      ended += 1;
      permits.release('a');
    },
  };
  for (let n = 0; n < 20_000; n += 1) permits.add({ ...work });
  expect(ended).toBe(20_000);
});

test('30,000 pieces of work that end at once start one after the other, and none while another starts', () => {
  const permits = new FairPermits(1);
  let started = 0;
  let depth = 0;
  let deepest = 0;
  const start = () => {
    started += 1;
    depth += 1;
    deepest = Math.max(deepest, depth);
    permits.release('a');
    depth -= 1;
  };
  permits.add({ party: 'b', isOnlyParty: true, start: () => undefined });
  for (let n = 0; n < 30_000; n += 1) permits.add({ party: 'a', isOnlyParty: true, start });
  permits.release('b');
  expect([started, deepest, permits.isIdle]).toEqual([30_000, 1, true]);
});
