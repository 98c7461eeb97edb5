import { describe, expect, test } from 'vitest';
import {
  createMatchers,
  EventFilter,
  FilterInput,
} from '../../../../../../shared/domain/event/event-pattern/event-filter.ts';

describe('a filter of a request', () => {
  test.each([null, '', 'null', undefined])('%j is none', (input) => {
    expect(FilterInput.optional().parse(input)).toBeUndefined();
  });

  test('is an object or its JSON text, and is kept as compact text with all of its keys', () => {
    const text = '{"b":["x"],"__proto__":[1],"a":{"c":[{"prefix":"y"}]}}';
    expect(FilterInput.parse(JSON.parse(text))).toBe(text);
    expect(FilterInput.parse(` ${text.replaceAll(',', ' , ')}\n`)).toBe(text);
  });

  test('has at most 4,096 bytes as compact JSON', () => {
    const longest = { a: ['x'.repeat(4_096 - '{"a":[""]}'.length)] };
    expect(FilterInput.parse(longest)).toHaveLength(4_096);
    expect(FilterInput.safeParse({ a: [`${longest.a[0]}x`] }).error?.issues).toMatchObject([
      { message: 'must have at most 4096 bytes as compact JSON', path: [] },
    ]);
    expect(FilterInput.safeParse({ a: ['ü'.repeat(2_100)] }).success).toBe(false);
    expect(FilterInput.safeParse(JSON.stringify(longest, null, 8)).success).toBe(true);
  });

  test('names the place of each problem', () => {
    expect(FilterInput.safeParse('{"a":{"b":7}}').error?.issues).toMatchObject([{ path: ['a.b'] }]);
    expect(FilterInput.safeParse('{"a":').error?.issues).toMatchObject([{ path: [] }]);
  });
});

describe('matchers', () => {
  const filter = (text: string) => EventFilter.parse(text);

  test('a filter is compiled once', () => {
    const matcherOf = createMatchers();
    expect(matcherOf(filter('{"a":[1]}'))).toBe(matcherOf(filter('{"a":[1]}')));
    expect(matcherOf(filter('{"a":[1]}'))({ a: 1 })).toBe(true);
  });

  test('the texts in memory are bounded', () => {
    const matcherOf = createMatchers(25);
    const first = matcherOf(filter('{"a":[1]}'));
    matcherOf(filter('{"a":[2]}'));
    expect(matcherOf(filter('{"a":[1]}'))).toBe(first);
    matcherOf(filter('{"a":[3]}'));
    expect(matcherOf(filter('{"a":[1]}'))).not.toBe(first);
    expect(matcherOf(filter('{"a":[1]}'))({ a: 1 })).toBe(true);
  });

  test('a stored filter that is not valid is our error', () => {
    expect(() => createMatchers()(filter('{"a":1}'))).toThrow('A stored filter is not valid: filter.a');
  });
});
