import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { SynchronousShare } from '../../../../../shared/service/admission/synchronous-share.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const options = { perUser: 8, waiting: 8, waitMs: 5_000 };
const source = (owner: string, id: string) => ({
  sourceId: SourceId.parse(`dc_${id}`),
  ownerId: UserId.parse(`u_${owner}`),
});

/** Requests that end when the test says so, and the names of those that run, in order of their start. */
function scene({ isOnly = false } = {}) {
  const share = new SynchronousShare(() => Promise.resolve(isOnly), options);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const request = (name: string, of: ReturnType<typeof source>) =>
    share.run(of, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  /** Requests of one source named by its letter and a number. Those that are refused are counted. */
  const refused: string[] = [];
  const many = async (letter: string, count: number, owner = 'a') => {
    for (let n = 1; n <= count; n += 1)
      void request(`${letter}${n}`, source(owner, letter)).catch(() => refused.push(letter));
    await settled();
  };
  return { started, refused, request, many, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('synchronous runs', () => {
  test('of a slow source leave a quarter to the other sources of its user', async () => {
    const { started, many } = scene();
    await many('x', 8);
    expect(started).toHaveLength(6);
    await many('y', 1);
    await many('z', 1);
    expect(started.slice(6)).toEqual(['y1', 'z1']);
  });

  test('of two slow sources do not delay a third', async () => {
    const { started, many } = scene();
    await many('x', 4);
    await many('y', 4);
    expect(started).toEqual(['x1', 'x2', 'x3', 'x4', 'y1', 'y2']);
    await many('z', 2);
    expect(started.slice(6)).toEqual(['z1', 'z2']);
  });

  test('of the only source of a user have all of its permits', async () => {
    const { started, many } = scene({ isOnly: true });
    await many('x', 10);
    expect(started).toHaveLength(8);
  });

  test('of one user leave those of other users free', async () => {
    const { started, many } = scene();
    await many('x', 8);
    await many('y', 8);
    await many('w', 6, 'b');
    expect(started.filter((name) => name.startsWith('w'))).toHaveLength(6);
  });

  test('that wait are served one source after the other, oldest first', async () => {
    const { started, many, end } = scene();
    await many('x', 6);
    await many('y', 2);
    expect(started).toHaveLength(8);
    for (const letter of ['v', 'w']) await many(letter, 2);
    for (const name of ['x1', 'x2', 'x3', 'x4']) {
      end(name);
      await settled();
    }
    expect(started.slice(8)).toEqual(['v1', 'w1', 'v2', 'w2']);
  });

  test('that get no permit in time are refused with 429, and take none later', async () => {
    const { started, many, request, end } = scene();
    await many('x', 6);
    const seventh = expect(request('late', source('a', 'x'))).rejects.toMatchObject({
      kind: 'rate_limited',
      code: 'overloaded',
      retryAfterSeconds: 5,
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await seventh;
    end('x1');
    await settled();
    void request('next', source('a', 'x'));
    await settled();
    expect(started.slice(6)).toEqual(['next']);
  });

  test('beyond what may wait are refused at once; a flood of one source leaves room for others to wait', async () => {
    const { started, refused, many } = scene();
    await many('x', 6);
    await many('y', 2);
    await many('x', 20);
    expect(refused).toHaveLength(14);
    await many('z', 1);
    expect(refused).toHaveLength(14);
    expect(started).toHaveLength(8);
  });

  test('that fail give their permit back', async () => {
    const { started, many, request, end } = scene();
    await many('x', 5);
    const failed = expect(request('no', source('a', 'x'))).rejects.toThrow('no');
    await settled();
    void request('next', source('a', 'x'));
    end('no', new Error('no'));
    await failed;
    await settled();
    expect(started.slice(5)).toEqual(['no', 'next']);
  });
});
