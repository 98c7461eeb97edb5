import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Expiring, Timeouts } from '../../../../shared/lib/timeouts.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

class Work extends Expiring {
  readonly expire: () => void;

  constructor(expire: () => void) {
    super();
    this.expire = expire;
  }
}

const world = () => {
  const expired: string[] = [];
  const startedAt = performance.now();
  const work = (name: string) => new Work(() => void expired.push(`${name} at ${performance.now() - startedAt}`));
  return { expired, work, timeouts: new Timeouts(1_000) };
};

test('each expires once, at its own time', () => {
  const { expired, work, timeouts } = world();
  for (const name of ['first', 'second', 'third']) {
    timeouts.start(work(name));
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(5_000);
  expect(expired).toEqual(['first at 1000', 'second at 1100', 'third at 1200']);
});

test('cancelled ones do not expire', () => {
  const { expired, work, timeouts } = world();
  const all = Array.from({ length: 10 }, (_, n) => work(String(n)));
  for (const one of all) timeouts.start(one);
  // In any order, and twice.
  for (const n of [4, 0, 8, 1, 7, 2, 2, 6, 3, 5]) timeouts.cancel(all[n] ?? work(''));
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual(['9 at 1000']);
});

test('a timeout that starts after the last was cancelled expires, too', () => {
  const { expired, work, timeouts } = world();
  const cancelled = work('cancelled');
  timeouts.start(work('first'));
  timeouts.start(cancelled);
  timeouts.cancel(cancelled);
  timeouts.start(work('next'));
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual(['first at 1000', 'next at 1000']);
});

test('they share one timer, also when one starts another as it expires', () => {
  const { expired, work, timeouts } = world();
  timeouts.start(
    new Work(() => {
      timeouts.start(work('next'));
    }),
  );
  for (let n = 0; n < 100; n += 1) timeouts.start(work(String(n)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect([expired.length, vi.getTimerCount()]).toEqual([100, 1]);
  vi.advanceTimersByTime(1_000);
  expect([expired.at(-1), vi.getTimerCount()]).toEqual(['next at 2000', 0]);
});
