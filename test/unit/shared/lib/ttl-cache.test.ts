import { beforeEach, expect, test, vi } from 'vitest';
import { TtlCache } from '../../../../shared/lib/ttl-cache.ts';

let now: number;
let cache: TtlCache<string, string>;
beforeEach(() => {
  now = 1_000_000;
  cache = new TtlCache({ ttlMs: 60_000, maxEntries: 2, now: () => now });
});

test('a value is reused until its lifetime ends, counted from its lookup', () => {
  cache.set('key', 'value');
  now += 30_000;
  expect(cache.get('key')).toBe('value');
  now += 29_999;
  expect(cache.get('key')).toBe('value');
  now += 1;
  expect(cache.get('key')).toBeUndefined();
});

test('a value from the future, after the clock was set back, is not used', () => {
  cache.set('key', 'value');
  now -= 1;
  expect(cache.get('key')).toBeUndefined();
});

test('an expired value is not used again, also after the clock was set back', () => {
  cache.set('key', 'value');
  now += 60_000;
  expect(cache.get('key')).toBeUndefined();
  now -= 30_000;
  expect(cache.get('key')).toBeUndefined();
});

test('the oldest value goes when the cache is full', () => {
  cache.set('first', '1');
  cache.set('second', '2');
  cache.set('first', '1 again');
  cache.set('third', '3');
  expect(['first', 'second', 'third'].map((key) => cache.get(key))).toEqual(['1 again', undefined, '3']);
});

test('a deleted value is gone', () => {
  cache.set('key', 'value');
  cache.delete('key');
  expect(cache.get('key')).toBeUndefined();
});

test('a value that is set over and over pushes none out', () => {
  cache.set('kept', 'value');
  for (let n = 0; n < 1_000; n += 1) cache.set('key', String(n));
  expect([cache.get('kept'), cache.get('key')]).toEqual(['value', '999']);
});

test('a value that was deleted and set again is as old as the second time', () => {
  cache.set('first', '1');
  cache.set('second', '2');
  cache.delete('first');
  cache.set('first', '1 again');
  cache.set('third', '3');
  expect(['first', 'second', 'third'].map((key) => cache.get(key))).toEqual(['1 again', undefined, '3']);
});

test('no call looks through all values', () => {
  const looks = (['keys', 'values', 'entries', 'forEach', Symbol.iterator] as const).map((name) =>
    vi.spyOn(Map.prototype, name as 'keys'),
  );
  for (let n = 0; n < 100; n += 1) cache.set(`key ${n}`, String(n));
  expect(looks.flatMap(({ mock }) => mock.calls)).toEqual([]);
  expect(['key 97', 'key 98', 'key 99'].map((key) => cache.get(key))).toEqual([undefined, '98', '99']);
});
