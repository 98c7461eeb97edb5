import { expect, test } from 'vitest';
import { createKeyedPlaces, createLimiter, createPlaces } from '../../../../shared/domain/limiter.ts';

/** Lets promises that were resolved go on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('places are given in the order of the calls, as they become free', async () => {
  const places = createPlaces(2);
  expect([places.take(), places.take()]).toEqual([undefined, undefined]);
  const got: string[] = [];
  void places.take()?.then(() => got.push('a'));
  void places.take()?.then(() => got.push('b'));
  await turn();
  expect(got).toEqual([]);
  places.release();
  await turn();
  expect(got).toEqual(['a']);
  places.release();
  await turn();
  expect(got).toEqual(['a', 'b']);
  places.release();
  expect(places.take()).toBeUndefined();
  expect(places.take()).toBeInstanceOf(Promise);
});

test('each key has places of its own, and a key without work is forgotten', async () => {
  const places = createKeyedPlaces(1);
  expect(places.take('a')).toBeUndefined();
  expect(places.take('b')).toBeUndefined();
  const waits = places.take('a');
  expect(waits).toBeInstanceOf(Promise);
  places.release('a');
  await waits;
  places.release('a');
  expect(places.take('a')).toBeUndefined();
});

test('a limiter runs no more at once than it may, and goes on after work that fails', async () => {
  const limited = createLimiter(2);
  let running = 0;
  let most = 0;
  const work = async (index: number) => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    if (index % 2 === 0) throw new Error(`${index}`);
    return index;
  };
  const ended = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => limited(() => work(index))));
  expect(ended.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  expect(most).toBe(2);
});
