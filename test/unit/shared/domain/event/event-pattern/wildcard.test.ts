import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { positionIn } from '../../../../../../shared/domain/event/event-pattern/position.ts';
import { wildcardTest } from '../../../../../../shared/domain/event/event-pattern/wildcard.ts';

const matches = (pattern: string, text: string) => wildcardTest(pattern, positionIn([], 'filter'))(text);

describe('wildcard', () => {
  test.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'abbc', true],
    ['a*bc*c', 'abc', false],
    ['*ab*', 'aab', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['a\\\\*', 'a\\x', true],
    ['a\\**', 'a*x', true],
    ['a.c', 'abc', false],
    ['a?', 'ab', false],
    ['', '', true],
    ['', 'a', false],
    ['x*\u{1F600}', 'x-\u{1F600}', true],
  ])('%j on %j is %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test('gives what a regular expression gives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, parts, fc.boolean(), fc.boolean(), (value, literals, before, after) => {
        const pattern = `${before ? '*' : ''}${literals.join('*')}${after && literals.length > 0 ? '*' : ''}`;
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(value);
        expect(matches(pattern, value)).toBe(expected);
      }),
      { numRuns: 3_000, seed: 1 },
    );
  });

  test('takes linear time for every pattern and text', () => {
    const text = 'a'.repeat(500_000);
    const patterns = [`${'*a'.repeat(1_000)}*b`, `*b${'a'.repeat(4_000)}*`, `*${'a'.repeat(4_000)}b*`];
    for (const pattern of patterns) {
      const test = wildcardTest(pattern, positionIn([], 'filter'));
      const cpu = process.cpuUsage();
      expect(test(`${text}c`)).toBe(false);
      const { user } = process.cpuUsage(cpu);
      // A quadratic search makes 2,000,000,000 comparisons: seconds.
      expect(user / 1_000, pattern.slice(0, 10)).toBeLessThan(1_000);
    }
  });
});
