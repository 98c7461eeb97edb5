import { describe, expect, test } from 'vitest';
import { type CustomStream, replacedStreams } from '../../../../../shared/domain/event/replaced-streams.ts';

const stream = (name: string, events: number, since = 0): CustomStream => ({ name, events, since });
const replaced = (
  others: CustomStream[],
  fresh: CustomStream[],
  { used = 0, limit = 3 }: { used?: number; limit?: number } = {},
) => replacedStreams({ others, used, fresh, limit }).map(({ name }) => name);

describe('a stream beyond the limit takes the place', () => {
  test('of nobody while there is room', () => {
    expect(replaced([stream('a', 1), stream('b', 2)], [stream('x', 1)])).toEqual([]);
  });

  test('of an empty stream, though it is younger', () => {
    const others = [stream('one', 1, 1), stream('empty', 0, 9), stream('many', 50, 0)];
    expect(replaced(others, [stream('x', 1)])).toEqual(['empty']);
  });

  test('else of the one with the fewest events, the oldest first', () => {
    const others = [stream('many', 50, 0), stream('younger', 2, 5), stream('older', 2, 4)];
    expect(replaced(others, [stream('x', 1, 9)])).toEqual(['older']);
  });

  test('of an earlier new one: invented names push out each other', () => {
    const others = [stream('a', 7, 0), stream('b', 5, 0), stream('c', 9, 0)];
    const fresh = Array.from({ length: 5 }, (_, n) => stream(`x${n}`, 1, 10));
    expect(replaced(others, fresh)).toEqual(['b', 'x0', 'x1', 'x2', 'x3']);
  });

  test('but not of a stream that gets an event in the same commit', () => {
    expect(replaced([stream('a', 90)], [stream('x', 1)], { used: 2 })).toEqual(['a']);
    expect(replaced([], [stream('x', 1), stream('y', 1)], { used: 3 })).toEqual(['x']);
  });

  test('of several, where an interrupted commit left too many', () => {
    const others = [stream('a', 1, 1), stream('b', 1, 2), stream('c', 1, 3), stream('d', 1, 4)];
    expect(replaced(others, [], { used: 1 })).toEqual(['a', 'b']);
    expect(replaced(others, [stream('x', 1, 9)], { used: 1 })).toEqual(['a', 'b', 'c']);
  });

  test('within a moment for 10,000 new streams of one run', () => {
    const others = Array.from({ length: 1_000 }, (_, n) => stream(`a${n}`, 100, n));
    const fresh = Array.from({ length: 10_000 }, (_, n) => stream(`x${n}`, 1, 2_000));
    expect(replaced(others, fresh, { limit: 1_000 })).toHaveLength(10_000);
  });
});
