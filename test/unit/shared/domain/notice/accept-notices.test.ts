import { expect, test } from 'vitest';
import { NOTHING_REMEMBERED } from '../../../../../shared/domain/event/dedupe.ts';
import { acceptNotices, MAX_NOTICES_PER_HOUR } from '../../../../../shared/domain/notice/accept-notices.ts';
import { NOTICE_NAMES } from '../../../../../shared/domain/notice/notice-names.ts';
import { HOUR_MS } from '../../../../../shared/lib/durations.ts';

const NEW = { dedupe: NOTHING_REMEMBERED };
const notice = (id: string, name = 'source.errors') => ({ id, name });
const many = (count: number, name = 'source.errors') =>
  Array.from({ length: count }, (_, n) => notice(`${name} ${n}`, name));

test('a notice is accepted once, in a batch and in later ones', () => {
  const first = acceptNotices(NEW, [notice('a'), notice('a'), notice('b')], 0);
  expect(first.accepted.map(({ id }) => id)).toEqual(['a', 'b']);
  const second = acceptNotices(first, [notice('b'), notice('c')], 1);
  expect(second.accepted.map(({ id }) => id)).toEqual(['c']);
  expect(second.noticeCounts).toEqual({ hour: 0, counts: { 'source.errors': 3 } });
});

test('an hour has 20 of each name, within which no notice is accepted again; the next hour begins anew', () => {
  const full = acceptNotices(NEW, many(MAX_NOTICES_PER_HOUR + 5), HOUR_MS);
  expect([full.accepted.length, full.leftOut]).toEqual([20, 5]);
  const again = acceptNotices(full, [...many(MAX_NOTICES_PER_HOUR), notice('more')], 2 * HOUR_MS - 1);
  expect([again.accepted.length, again.leftOut]).toEqual([0, 1]);
  const next = acceptNotices(again, [notice('more')], 2 * HOUR_MS);
  expect(next.accepted).toHaveLength(1);
  expect(next.noticeCounts).toEqual({ hour: 2, counts: { 'source.errors': 1 } });
});

test('many of one name leave all of every other name, and an hour of all names is remembered whole', () => {
  const all = NOTICE_NAMES.flatMap((name) => many(MAX_NOTICES_PER_HOUR, name));
  const first = acceptNotices(NEW, [...many(500), ...all], 0);
  expect(first.accepted).toHaveLength(NOTICE_NAMES.length * MAX_NOTICES_PER_HOUR);
  for (const name of NOTICE_NAMES) expect(first.accepted.filter((each) => each.name === name)).toHaveLength(20);
  expect(acceptNotices({ dedupe: first.dedupe }, all, 1).accepted).toEqual([]);
});
