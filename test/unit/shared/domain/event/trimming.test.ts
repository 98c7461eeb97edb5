import { describe, expect, test } from 'vitest';
import { eventId } from '../../../../../shared/domain/event/event-id.ts';
import {
  countAdded,
  COUNTED_STREAMS,
  countLeft,
  isTrimDue,
  KEPT_EVENTS,
  leaving,
  SLACK,
} from '../../../../../shared/domain/event/trimming.ts';

const id = (n: number) => eventId({ ms: 1, sequence: n });
/** Items of one event each. */
const single = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => [to - n]);
const leavingOf = (items: readonly number[][], adding: readonly number[] = []) =>
  leaving(
    items.map((numbers) => ({ numbers, events: numbers.map((n) => ({ id: id(n) })) })),
    new Set(adding.map(id)),
  );
const gone = (items: readonly number[][], adding: readonly number[] = []) =>
  leavingOf(items, adding).gone.map(({ numbers }) => numbers);
const kept = (items: readonly number[][]) => leavingOf(items).kept;

describe('trimming', () => {
  test('is due when a stream may hold more than what it shows and the slack', () => {
    expect(isTrimDue({ s: 0 }, 's', KEPT_EVENTS + SLACK)).toBe(false);
    expect(isTrimDue({ s: 1 }, 's', KEPT_EVENTS + SLACK)).toBe(true);
    expect(isTrimDue({ s: KEPT_EVENTS }, 's', SLACK)).toBe(false);
    expect(isTrimDue({ s: KEPT_EVENTS }, 's', SLACK + 1)).toBe(true);
  });

  test('looks at a stream without counter whenever it is written once there are many streams', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, 1]));
    expect(isTrimDue({}, 'new', 1)).toBe(false);
    expect(isTrimDue(many, 'new', 1)).toBe(true);
    expect(isTrimDue(many, 's3', 1)).toBe(false);
  });

  test('events that are no longer among the last 100 are removed', () => {
    expect(gone(single(1, 100))).toEqual([]);
    expect(gone(single(1, 103))).toEqual([[3], [2], [1]]);
    expect(gone(single(1, 100), [101, 102])).toEqual([[2], [1]]);
  });

  test('events that are stored again count once', () => {
    expect(gone(single(1, 100), [100, 99])).toEqual([]);
    expect(gone(single(1, 101), [101])).toEqual([[1]]);
  });

  test('an item is removed when none of its events is among the last 100', () => {
    const stored = [...single(14, 111), [13, 12, 11], [10, 9, 8]];
    expect(gone(stored)).toEqual([[10, 9, 8]]);
    expect(kept(stored)).toBe(101);
    expect(gone(stored, [112])).toEqual([[10, 9, 8]]);
    expect(gone(stored, [112, 113])).toEqual([
      [13, 12, 11],
      [10, 9, 8],
    ]);
  });

  test('an event of two items counts once, and neither leaves while it is shown', () => {
    const stored = [...single(6, 104), [6, 5, 4], [5, 4, 3, 2]];
    expect(gone(stored)).toEqual([]);
    expect(kept(stored)).toBe(103);
  });

  test('counters grow with what is added and fall to what was kept', () => {
    const added = new Map([
      ['a', 2],
      ['b', 5],
      ['c', 1],
    ]);
    const counts = countAdded({ a: 3, b: 150 }, { added, trimmed: new Map([['b', 100]]), uncounted: new Map() });
    expect(counts).toEqual({ a: 5, b: 100, c: 1 });
  });

  test('a stream that went keeps its counter until another one needs it', () => {
    const full = Object.fromEntries(Array.from({ length: COUNTED_STREAMS }, (_, n) => [`s${n}`, 9]));
    const left = countLeft(full, new Map([['s3', 0]]));
    expect(left).toEqual({ ...full, s3: 0 });
    const after = (uncounted: ReadonlyMap<string, number>) =>
      countAdded(left, { added: new Map([['new', 2]]), trimmed: new Map(), uncounted });
    expect(after(new Map())).toMatchObject({ new: 2 });
    expect(after(new Map([['new', 7]]))).toMatchObject({ new: 9 });
    expect(Object.keys(after(new Map()))).toHaveLength(COUNTED_STREAMS);
    const unchanged = countAdded(full, {
      added: new Map([['new', 2]]),
      trimmed: new Map(),
      uncounted: new Map(),
    });
    expect(unchanged).toEqual(full);
  });

  test('names of streams may be anything', () => {
    const added = new Map([
      ['__proto__', 2],
      ['constructor', 1],
    ]);
    const counts = countAdded({}, { added, trimmed: new Map(), uncounted: new Map() });
    expect(isTrimDue(counts, '__proto__', KEPT_EVENTS + SLACK - 1)).toBe(true);
    expect(isTrimDue({}, 'constructor', 1)).toBe(false);
  });
});
