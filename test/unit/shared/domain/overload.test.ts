import { expect, test } from 'vitest';
import { REFUSAL_MS, refusedForMs } from '../../../../shared/domain/overload.ts';

test.each([
  ['nothing was behind', undefined, 0],
  ['the time is over', 1_000_000, 0],
  ['a moment is left', 1_000_001, 1],
  ['all of it is left', 1_000_000 + REFUSAL_MS, REFUSAL_MS],
  ['the clock was set back since', 1_000_001 + REFUSAL_MS, 0],
])('a source is refused for the remaining time when %s', (_, until, left) => {
  expect(refusedForMs(until, 1_000_000)).toBe(left);
});
