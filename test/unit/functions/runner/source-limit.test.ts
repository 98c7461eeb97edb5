import { expect, test, vi } from 'vitest';
import { MAX_PER_SOURCE, SourceBusy, SourceLimit } from '../../../../functions/runner/source-limit.ts';

const never = () => new Promise<never>(() => undefined);

test('a source has at most 21 processes: those of its synchronous runs, and one for its queue; other sources are served meanwhile', async () => {
  const limit = new SourceLimit();
  const work = vi.fn(never);
  for (let n = 0; n < 30; n += 1) void limit.run('dc_busy', work).catch(() => undefined);

  expect(work).toHaveBeenCalledTimes(21);
  expect(await limit.run('dc_other', () => Promise.resolve('served'))).toBe('served');
});

test('a waiting request of the source runs when another one has ended', async () => {
  const limit = new SourceLimit();
  let end: () => void = () => undefined;
  void limit.run('dc_busy', () => new Promise<void>((resolve) => (end = resolve)));
  for (let n = 0; n < MAX_PER_SOURCE - 1; n += 1) void limit.run('dc_busy', never);
  const waiting = limit.run('dc_busy', () => Promise.resolve('ran'));
  end();

  expect(await waiting).toBe('ran');
});

test('a request that waits for five seconds is refused', async () => {
  vi.useFakeTimers();
  const limit = new SourceLimit();
  for (let n = 0; n < MAX_PER_SOURCE; n += 1) void limit.run('dc_busy', never);
  const refused = expect(limit.run('dc_busy', never)).rejects.toThrow(SourceBusy);
  await vi.advanceTimersByTimeAsync(5000);
  await refused;
  vi.useRealTimers();
});
