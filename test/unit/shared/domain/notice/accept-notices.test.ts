import { expect, test } from 'vitest';
import { NOTHING_REMEMBERED } from '../../../../../shared/domain/event/dedupe.ts';
import { acceptNotices, MAX_NOTICES_PER_HOUR } from '../../../../../shared/domain/notice/accept-notices.ts';
import { HOUR_MS } from '../../../../../shared/lib/durations.ts';

const NEW = { dedupe: NOTHING_REMEMBERED };
const named = (count: number, prefix = 'n') =>
  Array.from({ length: count }, (_, n) => ({ id: `${prefix}${n}` }));

test('a notice is accepted once, in a batch and in later ones', () => {
  const first = acceptNotices(NEW, [{ id: 'a' }, { id: 'a' }, { id: 'b' }], 0);
  expect(first.accepted.map(({ id }) => id)).toEqual(['a', 'b']);
  const second = acceptNotices(first, [{ id: 'b' }, { id: 'c' }], 1);
  expect(second.accepted.map(({ id }) => id)).toEqual(['c']);
  expect(second.noticeCount).toEqual({ hour: 0, count: 3 });
});

test('an hour has a limit, within which no notice is accepted again; the next hour begins anew', () => {
  const full = acceptNotices(NEW, named(MAX_NOTICES_PER_HOUR + 5), HOUR_MS);
  expect([full.accepted.length, full.leftOut]).toEqual([MAX_NOTICES_PER_HOUR, 5]);
  const again = acceptNotices(full, [...named(MAX_NOTICES_PER_HOUR), { id: 'more' }], 2 * HOUR_MS - 1);
  expect([again.accepted.length, again.leftOut]).toEqual([0, 1]);
  const next = acceptNotices(again, [{ id: 'more' }], 2 * HOUR_MS);
  expect(next.accepted).toHaveLength(1);
  expect(next.noticeCount).toEqual({ hour: 2, count: 1 });
});
