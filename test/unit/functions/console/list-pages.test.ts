import { expect, test } from 'vitest';
import { nextCursor } from '../../../../functions/console/app/api/page-cursors.ts';
import { listInterval, listStaleTime } from '../../../../functions/console/app/lists/list-interval.ts';

const pageOf = (count: number, total: number) => ({
  data: Array.from({ length: count }, () => ({})),
  page_info: {
    total_count: total,
    count,
    start_cursor: count === 0 ? null : 'first',
    end_cursor: count === 0 ? null : 'last',
  },
});
const cursorAfter = (...pages: ReturnType<typeof pageOf>[]) => nextCursor(pages.at(-1) ?? expect.fail(), pages);

test('a list ends with its last item, and one that is counted up to 1,000 with its last page', () => {
  expect(cursorAfter(pageOf(50, 60))).toBe('last');
  expect(cursorAfter(pageOf(50, 60), pageOf(10, 60))).toBeUndefined();
  expect(cursorAfter(pageOf(0, 0))).toBeUndefined();
  const thousand = Array.from({ length: 20 }, () => pageOf(50, 1_000));
  expect(cursorAfter(...thousand)).toBe('last');
  expect(cursorAfter(...thousand, pageOf(7, 1_000))).toBe('last');
  expect(cursorAfter(...thousand, pageOf(7, 1_000), pageOf(0, 1_000))).toBeUndefined();
});

test('a list with many pages is read again less often, and not at all while it is paused', () => {
  const withPages = (count: number) => ({
    state: { data: { pages: Array.from({ length: count }, () => 1) } },
  });
  expect(listInterval(1_000)(withPages(20))).toBe(20_000);
  expect(listInterval(1_000)({ state: { data: undefined } })).toBe(1_000);
  expect(listInterval(false)(withPages(2))).toBe(false);
  // A focus of the window reads it no sooner.
  expect(listStaleTime(1_000)(withPages(100))).toBe(100_000);
  expect(listStaleTime(false)(withPages(2))).toBe(Infinity);
});
