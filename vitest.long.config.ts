import { defineConfig } from 'vitest/config';
import { many, stack, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** `.long`: only here. `.both`: also in `npm test`, with fewer repetitions. */
const HERE = '*.{long,both}*.test.ts';
const ALONE = '*.{long,both}.alone.test.ts';
const LAST = 'test/**/*.last.test.ts';
const STACK = 'test/{api,bin,infra,programs,regressions}';
/** In a browser. */
const CONSOLE = 'test/bin/console/**/*.long*.test.ts';

/**
 * The tests of `npm run test:long`: more repetitions, faults injected everywhere, comparison with an independent
 * service. The name of a file says where it runs: see docs/contributing-tests.md.
 */
export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    // Two cores: tests wait for half of their time.
    maxWorkers: 6,
    sequence: { sequencer: SlowFirst },
    projects: [
      { test: { ...unit, ...many, name: 'unit', include: [`test/unit/**/${HERE}`], exclude: [LAST] } },
      { test: { ...stack, ...many, name: 'stack alone', include: [`${STACK}/**/${ALONE}`], exclude: [LAST] } },
      {
        test: {
          ...stack,
          ...many,
          name: 'stack',
          // Without faults: some assertions of `.faults` are exact then.
          include: [`${STACK}/**/${HERE}`, 'test/e2e/**/*.faults.test.ts'],
          exclude: [LAST, CONSOLE, `test/**/${ALONE}`],
          isolate: false,
        },
      },
      { test: { ...stack, ...many, name: 'console', include: [CONSOLE], exclude: [LAST], isolate: false } },
      {
        test: {
          ...withFaults,
          name: 'faults',
          // `npm test` injects faults into the others.
          include: ['test/e2e/**/!(*.faults).test.ts', 'test/e2e/**/*.long.faults.test.ts'],
          isolate: false,
        },
      },
      // One after the other: a test that measures latencies, and one that looks back over the whole run.
      {
        test: {
          ...stack,
          ...many,
          name: 'last',
          include: ['test/**/*.{long,both}.last.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
