import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

const common = { testTimeout: 30_000, hookTimeout: 60_000, restoreMocks: true, pool: 'forks' } as const;

/**
 * The end-to-end files run twice: without and with fault injection. Tests about the whole run (permissions that no call used,
 * faults that were never injected) run last.
 */
export default defineConfig({
  test: {
    // On two cores: a third of the time a test waits for something.
    maxWorkers: 3,
    globalSetup: ['test/support/assembly.ts'],
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/last/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'fair',
          include: ['test/e2e/**/*.test.ts'],
          provide: { faults: 'none' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          testTimeout: 60_000,
          name: 'rough',
          include: ['test/e2e/**/*.test.ts'],
          provide: { faults: 'injected' },
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: { ...common, name: 'last', include: ['test/last/**/*.test.ts'], sequence: { groupOrder: 3 } },
      },
    ],
  },
});
