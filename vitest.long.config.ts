import { defineConfig } from 'vitest/config';
import { many, stack, TIMED_END_TO_END, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** The tests of `npm run test:long`: more repetitions, faults injected everywhere, comparison with an independent service. */
export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...unit,
          ...many,
          name: 'long',
          include: [
            'test/long/**/*.test.ts',
            'test/unit/contract/dynamodb/random-sequences.test.ts',
            'test/unit/contract/sqs/interleavings.test.ts',
            'test/unit/contract/sqs/quotas.test.ts',
            'test/unit/functions/builder/real-components.test.ts',
            'test/unit/regressions/dying-runner-process.test.ts',
          ],
        },
      },
      {
        test: {
          ...unit,
          ...many,
          name: 'attacks',
          include: ['test/attacks/*.test.ts'],
          exclude: ['test/attacks/descriptors.test.ts'],
        },
      },
      {
        test: {
          ...stack,
          ...many,
          name: 'long stack',
          include: [
            'test/api/properties.test.ts',
            'test/attacks/descriptors.test.ts',
            'test/compat/*.test.ts',
            'test/e2e/untrusted-components.test.ts',
            'test/regressions/overlapping-synchronous-runs.test.ts',
            'test/regressions/stopped-while-starting.test.ts',
            'test/service/kill-9.test.ts',
            'test/service/start.test.ts',
            ...TIMED_END_TO_END,
          ],
        },
      },
      {
        test: {
          ...withFaults,
          name: 'faults',
          include: ['test/e2e/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      // This test looks back over the whole run: each kind of fault occurred.
      {
        test: {
          ...stack,
          name: 'last',
          include: ['test/last/faults.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
