import { expect, test } from 'vitest';
import { createRoom } from '../../../../shared/domain/room.ts';

const LONG_MS = 60_000;

/** Takes places and tells in which order the callers got them. */
function world(places: number) {
  const room = createRoom(places);
  const got: string[] = [];
  const take = async (name: string, count: number, withinMs = LONG_MS) => {
    const hasRoom = await room.take(count, withinMs);
    got.push(hasRoom ? name : `${name} not`);
  };
  return { room, got, take };
}

test('places are given in the order of the calls, also to small work behind large work', async () => {
  const { room, got, take } = world(3);
  await take('a', 2);
  const rest = [take('b', 3), take('c', 1), take('d', 1)];
  await Promise.resolve();
  expect(got).toEqual(['a']);
  room.giveBack(2);
  await rest[0];
  expect(got).toEqual(['a', 'b']);
  room.giveBack(3);
  await Promise.all(rest);
  expect(got).toEqual(['a', 'b', 'c', 'd']);
});

test('work larger than all places starts when nothing else is under way, and nothing beside it', async () => {
  const { room, got, take } = world(3);
  await take('a', 1);
  const large = take('large', 10);
  const small = take('small', 1);
  room.giveBack(1);
  await large;
  expect(got).toEqual(['a', 'large']);
  room.giveBack(10);
  await small;
});

test('what waits longer than it may gets no place, and lets what fits go on', async () => {
  const { room, got, take } = world(3);
  await take('a', 2);
  const small = take('small', 1);
  await small;
  room.giveBack(1);
  const large = take('large', 3, 10);
  const next = take('next', 1);
  await Promise.all([large, next]);
  expect(got).toEqual(['a', 'small', 'large not', 'next']);
  room.giveBack(2);
  await take('all', 3, 0);
  expect(got.at(-1)).toBe('all not');
  room.giveBack(1);
  await take('all', 3);
  expect(got.at(-1)).toBe('all');
});

test('gives thousands of places in order', async () => {
  const { room, got, take } = world(1);
  const names = Array.from({ length: 5_000 }, (_, n) => `${n}`);
  const all = names.map((name) => take(name, 1));
  for (const one of all) {
    await one;
    room.giveBack(1);
  }
  expect(got).toEqual(names);
});
