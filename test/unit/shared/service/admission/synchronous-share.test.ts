import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { SynchronousShare } from '../../../../../shared/service/admission/synchronous-share.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const options = { perSource: 2, perUser: 3, waiting: 3, waitMs: 5_000 };
const source = (owner: string, id: string) => ({
  sourceId: SourceId.parse(`dc_${id}`),
  ownerId: UserId.parse(`u_${owner}`),
});

/** Requests that end when the test says so, and the names of those that run, in order of their start. */
function scene() {
  const share = new SynchronousShare(options);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const request = (name: string, of: ReturnType<typeof source>) =>
    share.run(of, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  return { started, request, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('synchronous runs', () => {
  test('of one source share its places: the others wait for one, oldest first', async () => {
    const { started, request, end } = scene();
    const all = ['1', '2', '3', '4'].map((name) => request(name, source('a', 'x')));
    expect(started).toEqual(['1', '2']);
    end('2');
    await settled();
    expect(started).toEqual(['1', '2', '3']);
    for (const name of ['1', '3']) end(name);
    await settled();
    end('4');
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
  });

  test('of one user share the places of the user, and leave those of others free', async () => {
    const { started, request } = scene();
    void request('x1', source('a', 'x'));
    void request('x2', source('a', 'x'));
    void request('y1', source('a', 'y'));
    void request('y2', source('a', 'y')).catch(() => undefined);
    void request('other', source('b', 'z'));
    await settled();
    expect(started).toEqual(['x1', 'x2', 'y1', 'other']);
  });

  test('of another source of the user start before older requests of a source without a place', async () => {
    const { started, request, end } = scene();
    void request('x1', source('a', 'x'));
    void request('x2', source('a', 'x'));
    void request('y1', source('a', 'y'));
    void request('x3', source('a', 'x')).catch(() => undefined);
    void request('y2', source('a', 'y')).catch(() => undefined);
    end('y1');
    await settled();
    expect(started).toEqual(['x1', 'x2', 'y1', 'y2']);
  });

  test('that get no place in time are refused with 429, and take none later', async () => {
    const { started, request, end } = scene();
    void request('1', source('a', 'x'));
    void request('2', source('a', 'x'));
    const third = expect(request('3', source('a', 'x'))).rejects.toMatchObject({
      kind: 'rate_limited',
      code: 'overloaded',
      retryAfterSeconds: 5,
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await third;
    end('1');
    await settled();
    void request('4', source('a', 'x'));
    await settled();
    expect(started).toEqual(['1', '2', '4']);
  });

  test('beyond what may wait are refused at once', async () => {
    const { request } = scene();
    const waits = Array.from({ length: 5 }, (_, n) =>
      request(String(n), source('a', 'x')).catch(() => undefined),
    );
    await expect(request('5', source('a', 'x'))).rejects.toMatchObject({ code: 'overloaded' });
    expect(waits).toHaveLength(5);
  });

  test('that fail give their place back', async () => {
    const { started, request, end } = scene();
    const failed = expect(request('1', source('a', 'x'))).rejects.toThrow('no');
    void request('2', source('a', 'x'));
    void request('3', source('a', 'x'));
    end('1', new Error('no'));
    await failed;
    await settled();
    expect(started).toEqual(['1', '2', '3']);
  });
});
