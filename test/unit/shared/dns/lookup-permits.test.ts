import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LookupPermits } from '../../../../shared/dns/lookup-permits.ts';
import { HOUR_MS } from '../../../../shared/lib/durations.ts';

let now = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => void vi.restoreAllMocks());

function scene() {
  const permits = new LookupPermits();
  const got: { party: string; release: () => void }[] = [];
  /** Lookups of a party of `u_1`, each in a zone of its own unless a zone is named. */
  const ask = async (party: string, count: number, { owner = 'u_1', zone = '' } = {}) => {
    for (let n = 0; n < count; n += 1) {
      void permits.take({ owner, party }, zone || `${party}${n}.example`).then((release) => {
        got.push({ party, release });
      });
    }
    await settled();
  };
  const countOf = (party: string) => got.filter((each) => each.party === party).length;
  const release = async (party: string, count: number) => {
    for (const each of got.filter((one) => one.party === party).slice(0, count)) each.release();
    await settled();
  };
  return { ask, countOf, release };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a source with names that do not answer leaves permits to a source that had lookups, too', async () => {
  const { ask, countOf } = scene();
  await ask('dc_2', 1);
  await ask('dc_1', 200);
  expect(countOf('dc_1')).toBe(24 - 1);
  await ask('dc_2', 20);
  expect([countOf('dc_1'), countOf('dc_2')]).toEqual([23, 8]);
});

test('an only source has all permits, and all of a zone', async () => {
  const { ask, countOf } = scene();
  await ask('dc_1', 100);
  expect(countOf('dc_1')).toBe(32);
  await ask('dc_9', 100, { owner: 'u_2', zone: 'one.example' });
  expect(countOf('dc_9')).toBe(8);
});

test('lookups that wait are made for one source after the other, in a zone as well', async () => {
  const { ask, countOf, release } = scene();
  await ask('dc_1', 100, { zone: 'one.example' });
  expect(countOf('dc_1')).toBe(8);
  await ask('dc_2', 3, { zone: 'one.example' });
  await release('dc_1', 2);
  expect([countOf('dc_1'), countOf('dc_2')]).toEqual([8, 2]);
});

test('a source that shows up when another one has all is the next to get a permit', async () => {
  const { ask, countOf, release } = scene();
  await ask('dc_1', 100);
  await ask('dc_2', 1);
  expect(countOf('dc_2')).toBe(0);
  await release('dc_1', 1);
  expect([countOf('dc_1'), countOf('dc_2')]).toEqual([32, 1]);
});

test('an hour after the last lookup of the others a source is the only one again', async () => {
  const { ask, countOf, release } = scene();
  await ask('dc_2', 1);
  await release('dc_2', 1);
  now += HOUR_MS;
  await ask('dc_1', 100);
  expect(countOf('dc_1')).toBe(32);
});
