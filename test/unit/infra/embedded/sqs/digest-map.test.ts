import { expect, test } from 'vitest';
import { DigestMap } from '../../../../../infra/embedded/sqs/digest-map.ts';

/** Digests of which many have the same first word, and so the same first place. */
const digest = (n: number) => Uint32Array.of(n % 97, n, n % 5, 2 ** 32 - 1 - n);

test('each digest has its own value, also beyond the first size of the map', () => {
  const map = new DigestMap();
  const count = 10_000;
  for (let n = 0; n < count; n += 1) map.set(digest(n), n);
  for (let n = 0; n < count; n += 1) expect(map.get(digest(n))).toBe(n);
  expect(map.get(digest(count))).toBeUndefined();
});

test('a digest that is set again has the new value', () => {
  const map = new DigestMap();
  for (const value of [0, 30_000, 5]) map.set(digest(1), value);
  expect(map.get(digest(1))).toBe(5);
});

test('of two digests that begin with the same 64 bits, the later one counts', () => {
  const map = new DigestMap();
  map.set(Uint32Array.of(1, 2, 3, 4), 5);
  map.set(Uint32Array.of(1, 2, 6, 7), 8);
  expect(map.get(Uint32Array.of(1, 2, 3, 4))).toBe(8);
});
