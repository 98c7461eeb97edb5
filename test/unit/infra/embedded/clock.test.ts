import { expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';

test('a clock that is told to move wakes waiters in order of time, also those that wait again on the way', () => {
  const clock = new FakeClock(1_000);
  const woken: [string, number][] = [];
  clock.wakeAt(1_500, () => woken.push(['second', clock.now()]));
  clock.wakeAt(1_100, () => {
    woken.push(['first', clock.now()]);
    clock.wakeAt(1_200, () => woken.push(['again', clock.now()]));
  });
  clock.wakeAt(9_000, () => woken.push(['too late', clock.now()]));
  clock.advance(1_000);
  expect(woken).toEqual([
    ['first', 1_100],
    ['again', 1_200],
    ['second', 1_500],
  ]);
  expect(clock.now()).toBe(2_000);
});

test('a cancelled waiter is not woken', () => {
  const clock = new FakeClock(0);
  let woken = false;
  const cancel = clock.wakeAt(10, () => (woken = true));
  cancel();
  clock.advance(100);
  expect(woken).toBe(false);
});
