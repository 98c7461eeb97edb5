import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThreadLoad } from '../../../../../infra/embedded/event-source-mapping/thread-load.ts';

let nowMs = 0;
let activeMs = 0;
beforeEach(() => {
  nowMs = 0;
  activeMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((now, since) => {
    if (!now || !since) return { idle: nowMs - activeMs, active: activeMs, utilization: 0 };
    const active = now.active - since.active;
    const idle = now.idle - since.idle;
    return { active, idle, utilization: active / (active + idle) };
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const pass = ({ busyMs, idleMs }: { busyMs: number; idleMs: number }) => {
  activeMs += busyMs;
  nowMs += busyMs + idleMs;
};

test('a thread that works nine tenths of 50 ms is full, until it has time again', () => {
  const load = new ThreadLoad();
  expect(load.isFull()).toBe(false);
  pass({ busyMs: 44, idleMs: 6 });
  expect(load.isFull()).toBe(false);
  pass({ busyMs: 45, idleMs: 5 });
  expect(load.isFull()).toBe(true);
  // Less than a window says nothing new.
  pass({ busyMs: 0, idleMs: 49 });
  expect(load.isFull()).toBe(true);
  pass({ busyMs: 0, idleMs: 1 });
  expect(load.isFull()).toBe(false);
});

test('a thread is busy from three quarters on, until it works less than two fifths', () => {
  const load = new ThreadLoad();
  const isBusyAfter = (busyMs: number) => {
    pass({ busyMs, idleMs: 50 - busyMs });
    return load.isBusy();
  };
  expect([37, 38, 21, 20, 19, 37].map(isBusyAfter)).toEqual([false, true, true, true, false, false]);
});
