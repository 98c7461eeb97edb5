import { expect, test } from 'vitest';
import { SHUT_MS, shutForMs } from '../../../../shared/domain/overload.ts';

test.each([
  ['nothing was behind', undefined, 0],
  ['the time is over', 1_000_000, 0],
  ['a moment is left', 1_000_001, 1],
  ['all of it is left', 1_000_000 + SHUT_MS, SHUT_MS],
  ['the clock was set back since', 1_000_001 + SHUT_MS, 0],
])('doors are shut for what is left of their time, and open when %s', (_, until, left) => {
  expect(shutForMs(until, 1_000_000)).toBe(left);
});
