import { expect, test } from 'vitest';
import { idleMemoryMb } from '../../../../functions/runner/idle-memory.ts';

test.each([
  [0.75, 128],
  [4, 128],
  [8, 256],
  [16, 512],
  [64, 512],
])('idle processes on a machine with %d GB keep at most %d MB', (gb, mb) => {
  expect(idleMemoryMb(gb * 1024 ** 3)).toBe(mb);
});
