import { expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';

test('advance makes callbacks in order of time, also those that wait again within the span', () => {
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

test('a cancelled callback is not made', () => {
  const clock = new FakeClock(0);
  let woken = false;
  const cancel = clock.wakeAt(10, () => (woken = true));
  cancel();
  clock.advance(100);
  expect(woken).toBe(false);
});
