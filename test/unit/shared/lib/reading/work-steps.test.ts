import { expect, test } from 'vitest';
import { WorkSteps } from '../../../../../shared/lib/reading/work-steps.ts';

/** Blocks the thread. */
const work = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

test('other work of the thread goes on after each long step, and steps of several works take turns', async () => {
  const steps = new WorkSteps();
  const order: string[] = [];
  const runAll = async (name: string) => {
    for (let n = 0; n < 3; n += 1)
      await steps.run(() => {
        order.push(name);
        work(6);
      });
  };
  let iterations = 0;
  let isOver = false;
  const iterate = () => {
    iterations += 1;
    if (!isOver) setImmediate(iterate);
  };
  setImmediate(iterate);
  await Promise.all([runAll('a'), runAll('b')]);
  isOver = true;
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  expect(iterations).toBeGreaterThanOrEqual(5);
});

test('a step that throws fails alone', async () => {
  const steps = new WorkSteps();
  const failed = steps.run(() => {
    throw new Error('broken');
  });
  const next = steps.run(() => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
