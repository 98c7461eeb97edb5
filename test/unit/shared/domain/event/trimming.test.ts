import { describe, expect, test } from 'vitest';
import {
  countAdded,
  isTrimDue,
  KEPT_EVENTS,
  leaving,
  SLACK,
} from '../../../../../shared/domain/event/trimming.ts';

const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `e${count - index}` }));

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
    expect(leaving(keys(100), new Set())).toEqual([]);
    expect(leaving(keys(103), new Set())).toEqual([{ id: 'e3' }, { id: 'e2' }, { id: 'e1' }]);
    expect(leaving(keys(100), new Set(['e101', 'e102']))).toEqual([{ id: 'e2' }, { id: 'e1' }]);
  });

  test('events that are stored again count once', () => {
    expect(leaving(keys(100), new Set(['e100', 'e99']))).toEqual([]);
    expect(leaving(keys(101), new Set(['e101']))).toEqual([{ id: 'e1' }]);
  });

  test('counters grow with what is added and fall to what was kept', () => {
    const counts = countAdded(
      { a: 3, b: 150 },
      new Map([
        ['a', 2],
        ['b', 5],
        ['c', 1],
      ]),
      new Map([['b', 100]]),
    );
    expect(counts).toEqual({ a: 5, b: 100, c: 1 });
  });

  test('names of streams may be anything', () => {
    const counts = countAdded(
      {},
      new Map([
        ['__proto__', 2],
        ['constructor', 1],
      ]),
      new Map(),
    );
    expect(isTrimDue(counts, '__proto__', KEPT_EVENTS + SLACK - 1)).toBe(true);
    expect(isTrimDue({}, 'constructor', 1)).toBe(false);
  });
});
