import { expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { WakeTimer } from '../../../../infra/embedded/wake-timer.ts';

function aTimer() {
  const clock = new FakeClock(0);
  const woken: number[] = [];
  return { clock, woken, timer: new WakeTimer(clock, () => void woken.push(clock.now())) };
}

test('wakes once, at the earliest of the times, in whatever order they are asked for', () => {
  const { clock, woken, timer } = aTimer();
  for (const at of [30, 10, undefined, 20]) timer.wakeBy(at);
  for (let ms = 0; ms < 50; ms += 5) clock.advance(5);
  expect(woken).toEqual([10]);
});

test('wakes again for a time that is asked for after it woke', () => {
  const { clock, woken, timer } = aTimer();
  timer.wakeBy(10);
  clock.advance(10);
  timer.wakeBy(20);
  clock.advance(10);
  expect(woken).toEqual([10, 20]);
});

test('does not wake after it was cancelled, and takes a later time then', () => {
  const { clock, woken, timer } = aTimer();
  timer.wakeBy(10);
  timer.cancel();
  clock.advance(10);
  expect(woken).toEqual([]);
  timer.wakeBy(30);
  clock.advance(20);
  expect(woken).toEqual([30]);
});
