import { describe } from 'vitest';
import { standardQueueContract } from './standard-queue-contract.ts';
import { native, serialised } from './targets.ts';

describe('standard queue, through the whole serialisation of the SDK', () => {
  standardQueueContract({ open: () => serialised() });
});

describe('standard queue, short-circuited', () => {
  standardQueueContract({ open: () => native() });
});
