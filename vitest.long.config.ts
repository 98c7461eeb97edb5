import { defineConfig } from 'vitest/config';
import { many, stack, TIMED_END_TO_END, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** The tests of `npm run test:long`: more repetitions, faults injected everywhere, comparison with an independent service. */
export default defineConfig({
  test: {
    maxWorkers: 4,
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
            'test/unit/functions/builder/{outside-reads,real-components,untrusted-packages}.test.ts',
            'test/unit/functions/runner/{disk-use,untrusted-code}.test.ts',
            'test/unit/infra/compiler.test.ts',
            'test/unit/infra/packages/fetch-package.test.ts',
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
          exclude: ['test/attacks/{descriptors,neighbour}.test.ts'],
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
            'test/bin/admin/{remove-user,service}.test.ts',
            'test/bin/tributary/here.test.ts',
            'test/compat/*.test.ts',
            'test/console/browser/*.test.ts',
            // Without faults: some of their assertions are exact then.
            'test/e2e/{breaker,delivery,recover-many,retries,timers,untrusted-components}.test.ts',
            'test/floods/*.test.ts',
            'test/model/*.test.ts',
            'test/infra/runtime/freeze.test.ts',
            'test/regressions/{chain-budget,recorded-data,overlapping-synchronous-runs,silent-names,stopped-during-runs,stopped-while-starting,typing-in-a-search,console-that-shows-something}.test.ts',
            'test/service/{examples,full-disk,kill-9,pages,start}.test.ts',
          ],
        },
      },
      {
        test: {
          ...withFaults,
          name: 'faults',
          include: ['test/e2e/**/*.test.ts'],
          // 10,000 deliveries take minutes with faults, and find no more than some. `npm test` injects faults into the others.
          exclude: ['test/e2e/recover-many.test.ts', ...TIMED_END_TO_END],
          sequence: { groupOrder: 1 },
        },
      },
      // This test measures latencies: no other test runs beside it.
      {
        test: {
          ...stack,
          ...many,
          name: 'neighbour',
          include: ['test/attacks/neighbour.test.ts'],
          sequence: { groupOrder: 3 },
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
