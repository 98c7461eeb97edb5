import { describe, expect, test } from 'vitest';
import { batchedReads, endOfTick, sharedRequests } from '../../../../../shared/store/table/batched-reads.ts';

function reader(found: Record<string, number>) {
  const requests: string[][] = [];
  const read = batchedReads<string, number>(async (keys) => {
    requests.push([...keys]);
    return new Map(keys.flatMap((key) => (key in found ? [[key, found[key] ?? 0]] : [])));
  });
  return { requests, read };
}

describe('reads', () => {
  test('of one tick share a request with each key once, and each caller gets its own item', async () => {
    const { requests, read } = reader({ a: 1, b: 2 });
    expect(await Promise.all([read('a'), read('b'), read('a'), read('none')])).toEqual([1, 2, 1, undefined]);
    expect(requests).toEqual([['a', 'b', 'none']]);
  });

  test('during a request wait for its end and share the next one, which reads everything again', async () => {
    let respond = (): void => undefined;
    const requests: string[][] = [];
    const read = batchedReads<string, number>(async (keys) => {
      requests.push([...keys]);
      await new Promise<void>((resolve) => (respond = resolve));
      return new Map(keys.map((key) => [key, requests.length]));
    });
    const first = read('a');
    await endOfTick();
    const later = [read('a'), read('b')];
    await endOfTick();
    expect(requests).toEqual([['a']]);
    respond();
    expect(await first).toBe(1);
    await endOfTick();
    expect(requests).toEqual([['a'], ['a', 'b']]);
    respond();
    expect(await Promise.all(later)).toEqual([2, 2]);
  });

  test('after the start of a request start another request', async () => {
    const { requests, read } = reader({ a: 1 });
    const first = read('a');
    await endOfTick();
    await Promise.all([first, read('a')]);
    expect(requests).toEqual([['a'], ['a']]);
  });

  test('fail together, and the next ones begin anew', async () => {
    let fails = true;
    const read = batchedReads<string, number>(async (keys) => {
      if (fails) throw new Error('throttled');
      return new Map(keys.map((key) => [key, 1]));
    });
    const outcomes = await Promise.allSettled([read('a'), read('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await read('a')).toBe(1);
  });

  test('that wait behind a request which fails are read', async () => {
    let requests = 0;
    const read = batchedReads<string, number>(async (keys) => {
      requests += 1;
      if (requests === 1) throw new Error('throttled');
      return new Map(keys.map((key) => [key, 1]));
    });
    const first = read('a');
    first.catch(() => undefined);
    await endOfTick();
    expect(await read('a')).toBe(1);
    await expect(first).rejects.toThrow('throttled');
  });
});

test('reads of different names do not wait for each other', async () => {
  const shared = sharedRequests<string>();
  void shared('slow', () => new Promise(() => undefined));
  expect(await shared('fast', () => Promise.resolve('read'))).toBe('read');
});
