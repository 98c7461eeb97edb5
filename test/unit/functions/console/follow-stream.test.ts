import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const memory = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** Follows a stream until the test ends. Each call back is pending until `read` is called. */
async function follow(respond: () => Promise<Response>) {
  vi.stubGlobal('sessionStorage', memory);
  vi.stubGlobal('location', { pathname: '/console' });
  vi.stubGlobal('localStorage', memory);
  const requests = vi.fn<typeof fetch>(respond);
  vi.stubGlobal('fetch', requests);
  const reads: (() => void)[] = [];
  const { followStream } = await import('../../../../functions/console/app/api/live-api.ts');
  const abort = new AbortController();
  const end = followStream(
    { emitterId: 'dc_1' },
    {
      position: '0-0',
      onEvents: () =>
        new Promise<void>((resolve) => {
          reads.push(resolve);
        }),
      signal: abort.signal,
    },
  );
  return {
    requests,
    reads,
    stop: async () => {
      abort.abort();
      for (const read of reads) read();
      await vi.advanceTimersByTimeAsync(10_000);
      await end;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['an event', () => Promise.resolve(new Response('id: 1-0\ndata: {"event":{}}\n\n'))],
  ['a failure', () => Promise.reject(new TypeError('fetch failed'))],
])('after %s, the next request waits until the list was read', async (_, respond) => {
  const stream = await follow(respond);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([stream.requests.mock.calls.length, stream.reads.length]).toEqual([1, 1]);
  stream.reads[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([stream.requests.mock.calls.length, stream.reads.length]).toEqual([2, 2]);
  await stream.stop();
});
