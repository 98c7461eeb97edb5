import { expect, it } from 'vitest';
import { numberSize } from '../../../../../../infra/embedded/dynamodb/values/number.ts';

it.each([
  [0, 1],
  [1, 2],
  [10, 2],
  [12, 2],
  [100, 2],
  [-1, 3],
  [1_700_000_000_000, 3],
  [1_734_567_890_123, 8],
  [0.5, 2],
  [-12.345, 5],
  [1e-5, 2],
])('%d takes %d bytes', (n, bytes) => {
  expect(numberSize(n)).toBe(bytes);
});
