import { expect, test } from 'vitest';
import { BodyPool } from '../../../../../infra/embedded/http-api/bodies/body-pool.ts';

function scene(total: number) {
  const pool = new BodyPool(total);
  const evicted: string[] = [];
  /** A body of the client that its name begins with. */
  const body = (name: string) => ({ network: name.charAt(0), evict: () => void evicted.push(name) });
  const hold = (name: string, bytes: number) => {
    const made = body(name);
    pool.hold(made, bytes);
    return made;
  };
  return { pool, evicted, hold };
}

test('the oldest body of the client with most bytes goes, however old those of others are', () => {
  const { pool, evicted, hold } = scene(100);
  hold('a1', 30);
  hold('b1', 20);
  hold('b2', 20);
  hold('c1', 30);
  expect(evicted).toEqual([]);
  hold('d1', 10);
  expect(evicted).toEqual(['b1']);
  expect(pool.held).toBe(90);
});

test('as many bodies go as it takes, also the one that grew', () => {
  const { pool, evicted, hold } = scene(100);
  for (const name of ['a1', 'a2', 'a3', 'a4']) hold(name, 20);
  const grown = hold('b1', 10);
  pool.hold(grown, 75);
  expect(evicted).toEqual(['a1', 'b1']);
  expect(pool.held).toBe(60);
  hold('c1', 150);
  expect(evicted).toEqual(['a1', 'b1', 'c1']);
  expect(pool.held).toBe(60);
});

test('a client whose bodies ended has none of their bytes', () => {
  const { pool, evicted, hold } = scene(100);
  const small = hold('a1', 10);
  const large = hold('a2', 60);
  pool.release(large);
  pool.release(large);
  expect(pool.held).toBe(10);
  hold('b1', 50);
  hold('c1', 50);
  expect(evicted).toEqual(['b1']);
  pool.release(small);
  expect(pool.held).toBe(50);
});

test('a body that was evicted holds nothing more', () => {
  const { pool, evicted, hold } = scene(100);
  const first = hold('a1', 80);
  hold('a2', 80);
  expect(evicted).toEqual(['a1']);
  pool.release(first);
  expect(pool.held).toBe(80);
});
