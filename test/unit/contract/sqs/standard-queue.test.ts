import { describe } from 'vitest';
import { oracleDifferences } from './oracle-differences.ts';
import { standardQueueContract } from './standard-queue-contract.ts';
import { native, oracle, serialised } from './targets.ts';

describe('standard queue, through the whole serialisation of the SDK', () => {
  standardQueueContract({ open: () => serialised() });
});

describe('standard queue, short-circuited', () => {
  standardQueueContract({ open: () => native() });
});

/** fauxqs 1.9.2 declares Node 22 and later, but also starts on Node 20. */
describe('standard queue of the independent oracle fauxqs', () => {
  standardQueueContract({
    open: oracle,
    differences: new Set(oracleDifferences.map(({ promise }) => promise)),
  });
});
