import { expect, test } from 'vitest';
import { firstFound } from '../../../../functions/console/app/finder/first-found.ts';
import { positionBefore, soughtId } from '../../../../functions/console/app/finder/sought-id.ts';
import { EventId } from '../../../../shared/domain/event/event-id.ts';

test('whole ids of events and deliveries are told from other texts', () => {
  const delivery = `dl_${'0'.repeat(24)}`;
  expect(soughtId(' 1795798332005-1 ')).toEqual({ kind: 'event', id: '1795798332005-1' });
  expect(soughtId(delivery)).toEqual({ kind: 'delivery', id: delivery });
  for (const text of ['', '12-1', 'dl_1', 'dc_000000000000000000000000', '1795798332005-', 'Order 1-2'])
    expect(soughtId(text), text).toBeUndefined();
});

test.each([
  ['1000-7', '1000-6'],
  ['1000-0', '999-9007199254740991'],
  ['0-0', '0-9007199254740991'],
])('the position before %s is %s', (id, before) => {
  expect(positionBefore(id)).toBe(before);
  expect(EventId.safeParse(before).success).toBe(true);
});

test('a search looks at four items at a time, and at no more when one is found', async () => {
  const seen: number[] = [];
  let most = 0;
  let current = 0;
  const find = async (n: number): Promise<string | undefined> => {
    seen.push(n);
    current += 1;
    most = Math.max(most, current);
    await Promise.resolve();
    current -= 1;
    return n === 9 ? 'nine' : undefined;
  };
  const items = Array.from({ length: 100 }, (_, n) => n);
  expect(await firstFound(items, find, new AbortController().signal)).toBe('nine');
  expect(most).toBe(4);
  expect(seen.length).toBeLessThan(20);
  expect(await firstFound([1, 2], find, new AbortController().signal)).toBeUndefined();
});

test('a search ends with its signal', async () => {
  const abort = new AbortController();
  let count = 0;
  const find = () => {
    count += 1;
    if (count === 3) abort.abort();
    return Promise.resolve(undefined);
  };
  await firstFound(
    Array.from({ length: 50 }, (_, n) => n),
    find,
    abort.signal,
  );
  expect(count).toBeLessThan(10);
});
