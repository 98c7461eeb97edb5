import { expect, test } from 'vitest';
import { failedRunsOf } from '../../../../../shared/domain/source/run-counts.ts';

test('an error that is not counted yet is a failed run, and no run fails twice', () => {
  expect(failedRunsOf(4, 304)).toEqual({ failed: 4, all: 304 });
  expect(failedRunsOf(0, 0)).toEqual({ failed: 1, all: 1 });
  expect(failedRunsOf(3, 2)).toEqual({ failed: 3, all: 3 });
});
