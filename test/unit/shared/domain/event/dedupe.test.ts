import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dedupe,
  type DedupeState,
  mergeDedupe,
  NOTHING_REMEMBERED,
} from '../../../../../shared/domain/event/dedupe.ts';

interface Emit {
  id?: string | number;
  ts?: number;
  n?: number;
}

const run = (strategy: 'unique' | 'greatest' | 'last', state: DedupeState, emits: Emit[]) =>
  dedupe(strategy, state, emits);
const idsOf = (emits: readonly Emit[]) => emits.map(({ id }) => id);
const numbered = (from: number, to: number): Emit[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: `id-${from + index}` }));

describe('emits of one run', () => {
  test('are sorted from the oldest to the newest by ts, equal ones in the order of emission', () => {
    const emits = [
      { id: 'c', ts: 3 },
      { id: 'a', ts: 1 },
      { id: 'b1', ts: 2 },
      { id: 'b2', ts: 2 },
    ];
    expect(idsOf(dedupe(undefined, NOTHING_REMEMBERED, emits).emitted)).toEqual(['a', 'b1', 'b2', 'c']);
  });

  test('without ts are newest', () => {
    const emits = [{ id: 'now' }, { id: 'then', ts: 5 }];
    expect(idsOf(dedupe(undefined, NOTHING_REMEMBERED, emits).emitted)).toEqual(['then', 'now']);
  });
});

describe('unique', () => {
  test('emits an id once, within a run and across runs', () => {
    const first = run('unique', NOTHING_REMEMBERED, [{ id: 'a' }, { id: 'a' }, { id: 'b' }]);
    expect(idsOf(first.emitted)).toEqual(['a', 'b']);
    expect(idsOf(run('unique', first.state, [{ id: 'b' }, { id: 'c' }]).emitted)).toEqual(['c']);
  });

  test('remembers exactly the last 100 ids, first in, first out', () => {
    const full = run('unique', NOTHING_REMEMBERED, numbered(1, 100)).state;
    expect(full.ids).toHaveLength(800);
    expect(run('unique', full, [{ id: 'id-1' }]).emitted).toEqual([]);
    const over = run('unique', full, [{ id: 'id-101' }]).state;
    expect(over.ids).toHaveLength(800);
    expect(idsOf(run('unique', over, [{ id: 'id-1' }]).emitted)).toEqual(['id-1']);
    expect(run('unique', over, [{ id: 'id-2' }]).emitted).toEqual([]);
  });

  test('an id that comes again does not stay longer for it', () => {
    let { state } = run('unique', NOTHING_REMEMBERED, numbered(1, 100));
    ({ state } = run('unique', state, [{ id: 'id-1' }]));
    ({ state } = run('unique', state, [{ id: 'id-101' }]));
    expect(idsOf(run('unique', state, [{ id: 'id-1' }]).emitted)).toEqual(['id-1']);
  });

  test('ids compare as strings: 1 and "1" are one, 1 and "01" are two', () => {
    const { state } = run('unique', NOTHING_REMEMBERED, [{ id: 1 }]);
    expect(run('unique', state, [{ id: '1' }]).emitted).toEqual([]);
    expect(idsOf(run('unique', state, [{ id: '01' }]).emitted)).toEqual(['01']);
  });

  test('all characters of ids beyond 64 characters count', () => {
    const long = 'x'.repeat(64);
    const { state } = run('unique', NOTHING_REMEMBERED, [{ id: `${long}1` }]);
    expect(run('unique', state, [{ id: `${long}1` }]).emitted).toEqual([]);
    expect(run('unique', state, [{ id: `${long}2` }]).emitted).toHaveLength(1);
  });

  test('an emit without id is emitted, and reported', () => {
    const { emitted, withoutId } = run('unique', NOTHING_REMEMBERED, [{ n: 1 }, { id: 'a' }, { n: 2 }]);
    expect(emitted).toHaveLength(3);
    expect(withoutId).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('up to 100 different ids in any runs are emitted once each', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 99 }))), (runs) => {
        let state = NOTHING_REMEMBERED;
        const all: (string | number | undefined)[] = [];
        for (const ids of runs) {
          const result = run(
            'unique',
            state,
            ids.map((id) => ({ id })),
          );
          state = result.state;
          all.push(...idsOf(result.emitted));
        }
        expect(all).toEqual([...new Set(runs.flat())]);
      }),
      { seed: 1 },
    );
  });
});

describe('greatest', () => {
  test('emits only what is greater than everything before, as numbers', () => {
    const first = run('greatest', NOTHING_REMEMBERED, [{ id: 9 }, { id: 10 }, { id: 2 }]);
    expect(idsOf(first.emitted)).toEqual([9, 10]);
    expect(idsOf(run('greatest', first.state, [{ id: '9' }, { id: '11' }]).emitted)).toEqual(['11']);
  });

  test('compares whole numbers beyond 2^53 digit by digit', () => {
    const { state } = run('greatest', NOTHING_REMEMBERED, [{ id: '9007199254740992' }]);
    expect(run('greatest', state, [{ id: '9007199254740992' }]).emitted).toEqual([]);
    expect(run('greatest', state, [{ id: '9007199254740993' }]).emitted).toHaveLength(1);
  });

  test('emits and reports events with an id that is no number', () => {
    const { emitted, withoutId, state } = run('greatest', NOTHING_REMEMBERED, [{ id: 'x' }, { id: 3 }, {}]);
    expect(emitted).toHaveLength(3);
    expect(withoutId).toEqual([{ id: 'x' }, {}]);
    expect(state.greatest).toBe('3');
  });
});

describe('last', () => {
  test('emits only what comes after the newest id of the run before', () => {
    const first = run('last', NOTHING_REMEMBERED, [{ id: 'a' }, { id: 'b' }]);
    expect(idsOf(first.emitted)).toEqual(['a', 'b']);
    const second = run('last', first.state, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    expect(idsOf(second.emitted)).toEqual(['c']);
  });

  test('newest is what has the newest ts, wherever it was emitted', () => {
    const first = run('last', NOTHING_REMEMBERED, [
      { id: 'new', ts: 9 },
      { id: 'old', ts: 1 },
    ]);
    const second = run('last', first.state, [
      { id: 'newer', ts: 10 },
      { id: 'new', ts: 9 },
      { id: 'old', ts: 1 },
    ]);
    expect(idsOf(second.emitted)).toEqual(['newer']);
  });

  test('emits everything when the newest id of the run before is not among them', () => {
    const first = run('last', NOTHING_REMEMBERED, [{ id: 'gone' }]);
    expect(idsOf(run('last', first.state, [{ id: 'x' }, { id: 'y' }]).emitted)).toEqual(['x', 'y']);
  });

  test('a run without emits forgets nothing', () => {
    const first = run('last', NOTHING_REMEMBERED, [{ id: 'a' }]);
    const { state } = run('last', first.state, []);
    expect(run('last', state, [{ id: 'a' }]).emitted).toEqual([]);
  });
});

describe('runs that overlapped', () => {
  test('remember what either of them emitted', () => {
    const base = run('unique', NOTHING_REMEMBERED, numbered(1, 3)).state;
    const one = run('unique', base, [{ id: 'one' }]).state;
    const other = run('unique', base, [{ id: 'other' }]).state;
    const merged = mergeDedupe(one, other);
    for (const id of ['id-1', 'one', 'other']) expect(run('unique', merged, [{ id }]).emitted).toEqual([]);
    expect(idsOf(run('unique', merged, [{ id: 'third' }]).emitted)).toEqual(['third']);
  });

  test('keep the greater of two greatest', () => {
    const one = run('greatest', NOTHING_REMEMBERED, [{ id: 7 }]).state;
    const other = run('greatest', NOTHING_REMEMBERED, [{ id: 12 }]).state;
    expect(mergeDedupe(one, other).greatest).toBe('12');
    expect(mergeDedupe(other, one).greatest).toBe('12');
  });
});

test('greatest: an id of a million zeros is no number, and 10,000 ids after it are compared quickly', () => {
  const emits = [{ id: `${'0'.repeat(1_000_000)}1` }, ...numbered(1, 10_000).map((_, index) => ({ id: index }))];
  const before = process.cpuUsage();
  const { withoutId, state } = run('greatest', NOTHING_REMEMBERED, emits);
  const { user } = process.cpuUsage(before);

  expect(withoutId).toHaveLength(1);
  expect(state.greatest).toBe('9999');
  expect(user / 1_000).toBeLessThan(1_000);
});
