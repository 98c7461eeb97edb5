import { afterEach, describe, expect, test, vi } from 'vitest';
import { AgeOrderedMap } from '../../../../infra/embedded/age-ordered-map.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const keysOf = (map: AgeOrderedMap<number>) => {
  const keys: string[] = [];
  for (let oldest = map.oldest(); oldest; oldest = map.oldest()) {
    keys.push(oldest.key);
    map.deleteOldest();
  }
  return keys;
};

describe('a map in order of age', () => {
  test('gives its entries back oldest first, and one that was set again as the newest', () => {
    const map = new AgeOrderedMap<number>();
    for (const [value, key] of ['a', 'b', 'c', 'a'].entries()) map.set(key, value);
    expect([map.size, map.get('a'), map.get('b'), map.get('other')]).toEqual([3, 3, 1, undefined]);
    expect(keysOf(map)).toEqual(['b', 'c', 'a']);
    expect([map.size, map.get('a'), map.oldest()]).toEqual([0, undefined, undefined]);
  });

  test('stays in order and complete over many more entries than it ever has', () => {
    const map = new AgeOrderedMap<number>();
    for (let n = 0; n < 20_000; n += 1) {
      map.set(`key ${n}`, n);
      if (n % 3 === 0) map.set(`key ${n - 1}`, n);
      if (map.size > 100) map.deleteOldest();
    }
    const left = keysOf(map);
    expect(left.length).toBe(100);
    expect(new Set(left).size).toBe(100);
    expect(left.at(-1)).toBe('key 19999');
  });

  test('never looks through a Map for its first entry', () => {
    const looks = (['keys', 'values', 'entries', 'forEach', Symbol.iterator] as const).map((name) =>
      vi.spyOn(Map.prototype, name as 'keys'),
    );
    const map = new AgeOrderedMap<number>();
    for (let n = 0; n < 5_000; n += 1) {
      map.set(`key ${n}`, n);
      if (n > 1_000) map.deleteOldest();
    }
    expect(looks.flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(map.size).toBe(1_001);
  });
});
