import { defineConfig } from 'vitest/config';
import { stack, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** The folders of tests that need the synthesised stack. */
const STACK = 'test/{api,bin,e2e,infra,programs,regressions}';
/** `npm run test:long` runs these. */
const LONG = 'test/**/*.long.*';
/** Files that change a global of their process, or measure the process, have one of their own. */
const ALONE = '*.alone.test.ts';
/** Other files share processes: loading modules takes longer than many of these tests. */
const SHARING = '!(*.alone|*.mocked|*.cdk|*.faults|*.last).test.ts';
/** Options of the projects that begin after all others. Their tests compute, so a process for each core is enough. */
const END = { maxWorkers: 2, sequence: { groupOrder: 1 } };

/**
 * The tests of `npm test`; `vitest.long.config.ts` has those of `npm run test:long`. The name of a file says where it
 * runs: see docs/contributing-tests.md.
 */
export default defineConfig({
  test: {
    // Several projects transform the same modules.
    experimental: { fsModuleCache: true },
    // Two cores: tests wait for more than half of their time.
    maxWorkers: 6,
    sequence: { sequencer: SlowFirst },
    projects: [
      { test: { ...unit, name: 'unit', include: [`test/unit/**/${ALONE}`], exclude: [LONG] } },
      {
        test: {
          ...unit,
          name: 'unit shared',
          include: [`test/unit/**/${SHARING}`],
          exclude: [LONG],
          isolate: false,
        },
      },
      { test: { ...stack, name: 'stack', include: [`${STACK}/**/${ALONE}`], exclude: [LONG] } },
      {
        test: {
          ...stack,
          name: 'stack shared',
          include: [`${STACK}/**/${SHARING}`],
          exclude: [LONG],
          isolate: false,
        },
      },
      {
        test: {
          ...withFaults,
          name: 'faults',
          include: ['test/e2e/**/*.faults.test.ts'],
          exclude: [LONG],
          isolate: false,
        },
      },
      {
        test: {
          ...stack,
          name: 'last',
          include: ['test/**/*.last.test.ts'],
          exclude: [LONG],
          ...END,
        },
      },
      {
        // Loading the CDK or the clients of AWS takes longer than these tests, so they share two processes.
        test: {
          ...unit,
          name: 'unit last',
          include: ['test/unit/**/*.mocked.test.ts', 'test/infra/**/*.cdk.test.ts'],
          exclude: [LONG],
          isolate: false,
          ...END,
        },
      },
    ],
  },
});
