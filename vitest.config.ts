import { defineConfig } from 'vitest/config';
import { stack, TIMED_END_TO_END, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

const WITHOUT_PROCESSES = ['test/unit/contract/**/*.test.ts', 'test/unit/shared/**/*.test.ts'];

/** The tests of `npm test`; `vitest.long.config.ts` has those of `npm run test:long`. */
export default defineConfig({
  test: {
    // Two cores: a third of the time a test waits for something.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      { test: { ...unit, name: 'unit', include: ['test/unit/**/*.test.ts'], exclude: WITHOUT_PROCESSES } },
      // Files that start no process and change no global share processes: loading modules takes longer than these tests.
      { test: { ...unit, name: 'unit shared', include: WITHOUT_PROCESSES, isolate: false } },
      {
        test: {
          ...stack,
          name: 'stack',
          include: ['test/**/*.test.ts'],
          exclude: ['test/unit/**', 'test/long/**', 'test/last/**', ...TIMED_END_TO_END],
        },
      },
      // `npm run test:long` runs these without faults, and injects faults into the other end-to-end tests.
      {
        test: {
          ...withFaults,
          name: 'faults',
          include: TIMED_END_TO_END,
        },
      },
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
