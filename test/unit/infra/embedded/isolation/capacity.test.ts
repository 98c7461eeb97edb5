import { expect, test, vi } from 'vitest';
import { Capacity, processLimit } from '../../../../../infra/embedded/isolation/capacity.ts';

test('untrusted processes take at most half of the memory', () => {
  expect([2, 8, 24].map((gb) => processLimit(gb * 1024 ** 3))).toEqual([8, 32, 96]);
});

test('a start beyond the limit waits for the end of a process', async () => {
  const capacity = new Capacity(1);
  await capacity.take();
  const started = vi.fn();
  const second = capacity.take().then(started);
  await Promise.resolve();
  expect(started).not.toHaveBeenCalled();

  capacity.release();
  await second;
  capacity.release();
  await capacity.take();
});

test('a start beyond the limit ends one idle process', async () => {
  const capacity = new Capacity(1);
  const [first, second] = [vi.fn(() => false), vi.fn(() => (capacity.release(), true))];
  const third = vi.fn(() => true);
  for (const endIdle of [first, second, third]) capacity.onShortage(endIdle);
  await capacity.take();

  await capacity.take();
  expect([first, second, third].map((each) => each.mock.calls.length)).toEqual([1, 1, 0]);
});

test('a start that waits for too long is refused, and takes no place', async () => {
  const capacity = new Capacity(1, 10);
  await capacity.take();

  await expect(capacity.take()).rejects.toThrow('This machine already runs 1 processes of components.');
  capacity.release();
  await capacity.take();
});
