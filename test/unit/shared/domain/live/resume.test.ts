import { describe, expect, test } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import { BEGINNING, mayHaveLost, overlapOf, resume } from '../../../../../shared/domain/live/resume.ts';

const id = (ms: number) => eventId({ ms, sequence: 0 });
/** The events from `to` down to `from`, newest first. */
const stored = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => ({ id: id(to - n) }));
const idsOf = (events: readonly { id: string }[]) => events.map(({ id: own }) => own);

describe('a client', () => {
  test('that connects for the first time gets new events only', () => {
    expect(resume(stored(1, 3), undefined)).toEqual({ newest: id(3), replay: [], hasGap: false });
    expect(resume([], undefined)).toEqual({ newest: BEGINNING, replay: [], hasGap: false });
  });

  test('gets the events after its last one, oldest first', () => {
    const { replay, hasGap, newest } = resume(stored(1, 5), id(3));
    expect([idsOf(replay), hasGap, newest]).toEqual([[id(4), id(5)], false, id(5)]);
    expect(resume(stored(1, 5), id(9)).replay).toEqual([]);
  });

  test('whose last event was deleted gets the later ones, without a gap', () => {
    const left = stored(1, 9).filter(({ id: own }) => own !== id(3));
    expect(resume(left, id(3))).toMatchObject({ hasGap: false });
    expect(resume(left, id(3)).replay).toHaveLength(6);
  });

  test('gets the last 100 events, and a gap exactly when there are more', () => {
    const all = stored(1, 120);
    expect(resume(all, id(20))).toMatchObject({ hasGap: false });
    expect(idsOf(resume(all, id(20)).replay)).toEqual(idsOf(stored(21, 120)).reverse());
    expect(resume(all, id(19))).toMatchObject({ hasGap: true });
    expect(resume(all, id(19)).replay).toHaveLength(100);
    expect(resume(stored(21, 120), id(3))).toMatchObject({ hasGap: true });
  });
});

test('a stream that still has the position, or fewer events than it keeps, has lost none after it', () => {
  expect(mayHaveLost(stored(1, 150), id(1))).toBe(false);
  expect(mayHaveLost(stored(50, 99), id(1))).toBe(false);
  expect(mayHaveLost(stored(2, 101), id(1))).toBe(true);
  expect(mayHaveLost([], id(1))).toBe(false);
});

test('reads overlap by 30 s, and never begin after the newest event', () => {
  expect(overlapOf(id(100_000), 101_000)).toBe(id(71_000));
  expect(overlapOf(id(100_000), 200_000)).toBe(id(100_000));
  expect(overlapOf(BEGINNING, 1_000)).toBe(BEGINNING);
});
