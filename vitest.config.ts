import { defineConfig } from 'vitest/config';
import { stack, TIMED_END_TO_END, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** Files that change no global of their process share processes: loading modules takes longer than many of these tests. */
const SHARING_UNIT = ['test/unit/contract/**/*.test.ts', 'test/unit/shared/**/*.test.ts'];
const SHARING_STACK = ['test/api/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/regressions/**/*.test.ts'];

/** `npm run test:long` runs these. */
const LONG = [
  'test/long/**',
  'test/attacks/{ordinary,resources}.test.ts',
  'test/compat/{apphook,hooks,timers}.test.ts',
  'test/e2e/untrusted-components.test.ts',
  'test/unit/contract/sqs/quotas.test.ts',
  'test/unit/functions/builder/real-components.test.ts',
];

/** The tests of `npm test`; `vitest.long.config.ts` has those of `npm run test:long`. */
export default defineConfig({
  test: {
    // Two cores: tests wait for half of their time.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...SHARING_UNIT, ...LONG],
        },
      },
      { test: { ...unit, name: 'unit shared', include: SHARING_UNIT, exclude: LONG, isolate: false } },
      {
        test: {
          ...stack,
          name: 'stack',
          include: ['test/**/*.test.ts'],
          exclude: ['test/unit/**', 'test/last/**', ...SHARING_STACK, ...LONG],
        },
      },
      {
        test: {
          ...stack,
          name: 'stack shared',
          include: SHARING_STACK,
          exclude: [...TIMED_END_TO_END, ...LONG],
          isolate: false,
        },
      },
      // `npm run test:long` runs these without faults, and injects faults into the other end-to-end tests.
      { test: { ...withFaults, name: 'faults', include: TIMED_END_TO_END } },
      // This test looks back over the whole run: every permission was used.
      {
        test: {
          ...stack,
          name: 'last',
          include: ['test/last/permissions.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
