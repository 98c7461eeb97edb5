import { expect, test } from 'vitest';
import { runnerMemoryMb } from '../../../../../shared/domain/runner/runner-memory.ts';

test.each([
  [256, 4, 768],
  [256, 16, 1_536],
  [1_536, 4, 2_048],
])('an environment with runs of %d MB and %d warm processes has %d MB', (runMemoryMb, warmRunners, memoryMb) => {
  expect(runnerMemoryMb({ runMemoryMb, warmRunners })).toBe(memoryMb);
});
