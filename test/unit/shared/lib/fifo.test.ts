import { expect, test } from 'vitest';
import { Fifo } from '../../../../shared/lib/fifo.ts';

test('a queue gives its items in their order, also when many have left it', () => {
  const queue = new Fifo<number>();
  const got: (number | undefined)[] = [];
  for (let n = 0; n < 2_500; n += 1) {
    queue.push(2 * n);
    queue.push(2 * n + 1);
    got.push(queue.shift());
  }
  expect(queue.length).toBe(2_500);
  expect(queue.first).toBe(2_500);
  while (queue.length > 0) got.push(queue.shift());
  expect(got).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
  expect([queue.shift(), queue.first, queue.length]).toEqual([undefined, undefined, 0]);
});
