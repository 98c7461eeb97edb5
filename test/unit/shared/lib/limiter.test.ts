import { expect, test } from 'vitest';
import { createLimiter, KeyedPermits, Permits } from '../../../../shared/lib/limiter.ts';

/** Lets promises that were resolved go on. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

const item = (name: string) => ({ name });

test('places are given in the order of the calls, as they become free', () => {
  const got: string[] = [];
  const permits = new Permits<{ name: string }>(2, ({ name }) => got.push(name));
  for (const name of ['a', 'b', 'c', 'd']) permits.add(item(name));
  expect(got).toEqual(['a', 'b']);
  permits.release();
  expect(got).toEqual(['a', 'b', 'c']);
  permits.release();
  permits.release();
  permits.add(item('e'));
  permits.add(item('f'));
  expect(got).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('100,000 items that end at once get their places one after the other', () => {
  let running = 0;
  let most = 0;
  let started = 0;
  const permits = new Permits(1, () => {
    started += 1;
    running += 1;
    most = Math.max(most, running);
    running -= 1;
    // The first one ends when all others wait.
    if (started > 1) permits.release();
  });
  for (let index = 0; index < 100_000; index += 1) permits.add({});
  expect(started).toBe(1);
  permits.release();
  expect([started, most]).toEqual([100_000, 1]);
});

test('each key has places of its own, and a key without items has all of them', () => {
  const got: string[] = [];
  const permits = new KeyedPermits<{ name: string }>(1, ({ name }) => got.push(name));
  permits.add('a', item('a1'));
  permits.add('b', item('b1'));
  permits.add('a', item('a2'));
  expect(got).toEqual(['a1', 'b1']);
  permits.release('a');
  expect(got).toEqual(['a1', 'b1', 'a2']);
  permits.release('a');
  permits.release('b');
  // One release too many must not make a further place.
  permits.release('a');
  permits.add('a', item('a3'));
  permits.add('a', item('a4'));
  expect(got).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('a limiter runs no more at once than it may, and goes on after work that fails', async () => {
  const limited = createLimiter(2);
  let running = 0;
  let most = 0;
  const work = async (index: number) => {
    running += 1;
    most = Math.max(most, running);
    await endOfTurn();
    running -= 1;
    if (index % 2 === 0) throw new Error(`${index}`);
    return index;
  };
  const ended = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => limited(() => work(index))));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(most).toBe(2);
});
