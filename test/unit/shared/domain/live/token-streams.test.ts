import { describe, expect, test } from 'vitest';
import { endedFor, firstToEnd, permitEnd, tokenUse } from '../../../../../shared/domain/live/token-streams.ts';

const LIMIT = 100;
let now = 0;
const permitOf = (token: string, address = '192.0.2.1') =>
  `void-${(now += 1)}${permitEnd(tokenUse(token, 10), { address, now })}`;
const permitsOf = (token: string, count: number, address?: string) =>
  Array.from({ length: count }, () => permitOf(token, address));
const byKey = (count: number) => Array.from({ length: count }, (_, n) => `void-key${n}`);

/** The streams that end when a token with these permits opens one more. */
function openOne(
  token: string,
  maxStreams: number,
  others: readonly string[],
  { address = '192.0.2.1', limit = LIMIT } = {},
) {
  const own = permitOf(token, address);
  return endedFor(tokenUse(token, maxStreams), new Set([own, ...others]), limit);
}

describe('a token that uses all of its streams', () => {
  test('ends the oldest one of the address that has the most', () => {
    const [few, many, other] = [permitsOf('t', 3, '::1'), permitsOf('t', 5, '192.0.2.7'), permitsOf('t', 2)];
    expect(openOne('t', 10, [...other, ...many, ...few])).toEqual([many[0]]);
    expect(openOne('t', 11, [...other, ...many, ...few])).toEqual([]);
  });

  test('counts the new stream for its address', () => {
    const [a, b] = [permitsOf('t', 5, '192.0.2.7'), permitsOf('t', 5, '192.0.2.8')];
    expect(openOne('t', 10, [...a, ...b], { address: '192.0.2.8' })).toEqual([b[0]]);
    expect(openOne('t', 10, [...a, ...b], { address: '192.0.2.9' })).toEqual([a[0]]);
  });

  test('ends one stream of its own for each, also for streams that begin at the same moment', () => {
    const own = permitsOf('t', 13);
    const other = permitsOf('other', 10);
    const ended = endedFor(tokenUse('t', 10), new Set([...other, ...own]), LIMIT);
    expect(ended).toEqual(own.slice(0, 3));
    expect(openOne('t', 1, [])).toEqual([]);
  });
});

describe('all tokens together', () => {
  test('have half of the streams of their user', () => {
    expect(openOne('t', 100, permitsOf('t', 49))).toEqual([]);
    const own = permitsOf('t', 50);
    expect(openOne('t', 100, own)).toEqual([own[0]]);
    expect(openOne('t', 100, [...byKey(49), ...own])).toEqual([own[0]]);
    const five = ['a', 'b', 'c', 'd', 'e'].flatMap((token) => permitsOf(token, 10));
    expect(openOne('f', 10, five)).toBeUndefined();
    expect(openOne('a', 10, five)).toEqual([five[0]]);
  });

  test('leave room for a token with few streams: one with many gives it up', () => {
    const many = permitsOf('many', 50);
    expect(openOne('few', 10, many)).toEqual([many[0]]);
    const own = permitsOf('few', 12);
    expect(openOne('few', 100, [...many.slice(12), ...own])).toEqual([many[12]]);
    // With a quarter of its own, a token ends none of the others.
    const more = permitsOf('few', 13);
    expect(openOne('few', 100, [...many.slice(13), ...more])).toEqual([more[0]]);
  });

  test('beyond three quarters, one with more than a quarter gets no further stream', () => {
    const [many, few] = [permitsOf('many', 30), permitsOf('few', 8)];
    expect(openOne('many', 100, [...many, ...few])).toEqual([many[0]]);
    expect(openOne('few', 100, [...many, ...few])).toEqual([]);
    // The same for the streams of the user, of which others are opened with a key.
    const quarter = permitsOf('many', 25);
    expect(openOne('many', 100, [...byKey(50), ...quarter])).toEqual([quarter[0]]);
    expect(openOne('many', 100, [...byKey(49), ...quarter])).toEqual([]);
  });

  test('have one stream where their user has one', () => {
    expect(openOne('t', 10, [], { limit: 1 })).toEqual([]);
    const [own] = permitsOf('t', 1);
    expect(openOne('t', 10, [own ?? ''], { limit: 2 })).toEqual([own]);
    expect(openOne('other', 10, [own ?? ''], { limit: 2 })).toBeUndefined();
  });
});

test('permits of an earlier release and of keys are no streams of tokens', () => {
  expect(firstToEnd(tokenUse('t', 10), new Set(byKey(3)))).toBeUndefined();
  const own = permitsOf('t', 2);
  expect(firstToEnd(tokenUse('t', 10), new Set([...byKey(3), ...own.toReversed()]))).toBe(own[0]);
});

test('a permit names neither token nor address', () => {
  const permit = permitOf('lt_secret', '198.51.100.23');
  expect(permit).not.toContain('lt_secret');
  expect(permit).not.toContain('198.51');
});
