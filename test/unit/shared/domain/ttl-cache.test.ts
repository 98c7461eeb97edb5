import { beforeEach, expect, test } from 'vitest';
import { TtlCache } from '../../../../shared/domain/ttl-cache.ts';

let now: number;
let recent: TtlCache<string, string>;
beforeEach(() => {
  now = 1_000_000;
  recent = new TtlCache({ ttlMs: 60_000, maxEntries: 2, now: () => now });
});

test('what was found is used again until its time is over, counted from when it was found', () => {
  recent.set('key', 'value');
  now += 30_000;
  expect(recent.get('key')).toBe('value');
  now += 29_999;
  expect(recent.get('key')).toBe('value');
  now += 1;
  expect(recent.get('key')).toBeUndefined();
});

test('what a clock that was set back makes of the future is not used', () => {
  recent.set('key', 'value');
  now -= 1;
  expect(recent.get('key')).toBeUndefined();
});

test('what was once too old is not used again, whatever the clock does', () => {
  recent.set('key', 'value');
  now += 60_000;
  expect(recent.get('key')).toBeUndefined();
  now -= 30_000;
  expect(recent.get('key')).toBeUndefined();
});

test('beyond the most that is kept, the oldest goes', () => {
  recent.set('first', '1');
  recent.set('second', '2');
  recent.set('first', '1 again');
  recent.set('third', '3');
  expect(['first', 'second', 'third'].map((key) => recent.get(key))).toEqual(['1 again', undefined, '3']);
});

test('what was deleted is gone', () => {
  recent.set('key', 'value');
  recent.delete('key');
  expect(recent.get('key')).toBeUndefined();
});
