import { defineConfig } from 'vitest/config';
import { stack, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** The tests of `npm test`; `vitest.long.config.ts` has those of `npm run test:long`. */
export default defineConfig({
  test: {
    // Two cores: a third of the time a test waits for something.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      { test: { ...unit, name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        test: {
          ...stack,
          name: 'stack',
          include: ['test/**/*.test.ts'],
          exclude: ['test/unit/**', 'test/long/**', 'test/last/**'],
        },
      },
      // Faults are injected where the order of things decides; `npm run test:long` injects them everywhere.
      {
        test: {
          ...withFaults,
          name: 'faults',
          include: ['dedupe', 'delivery', 'lifecycle', 'retries', 'timers'].map(
            (name) => `test/e2e/${name}.test.ts`,
          ),
          sequence: { groupOrder: 1 },
        },
      },
      // This test looks back over the whole run: every permission was used.
      {
        test: {
          ...stack,
          name: 'last',
          include: ['test/last/permissions.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
