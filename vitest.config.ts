import { defineConfig } from 'vitest/config';
import { stack, TIMED_END_TO_END, unit, withFaults } from './test/support/projects.ts';
import { SlowFirst } from './test/support/slow-first.ts';

/** Files that change no global of their process share processes: loading modules takes longer than many of these tests. */
const SHARING_UNIT = [
  'test/unit/*.test.ts',
  'test/unit/{bench,compat,contract,docs,model,shared}/**/*.test.ts',
  'test/unit/bin/{package,tributary}/*.test.ts',
  'test/unit/bin/*.test.ts',
  'test/unit/functions/builder/{github,registry-agent}.test.ts',
  'test/unit/functions/console/*.test.ts',
  'test/unit/functions/runner/{child-request,job-timer,line-check,output,running-timer,source-limit}.test.ts',
  'test/unit/infra/{container,stage}.test.ts',
  // The test of memory measures its process.
  'test/unit/infra/{embedded,packages}/**/!(memory).test.ts',
  'test/unit/regressions/clock-set-back.test.ts',
];
const SHARING_STACK = [
  'test/{api,e2e,floods,regressions,shared}/**/*.test.ts',
  'test/bin/tributary/*.test.ts',
  'test/bin/admin/{components,dead-letters,users}.test.ts',
  'test/compat/sample.test.ts',
  'test/console/files.test.ts',
  'test/infra/embedded/paused.test.ts',
  'test/infra/{bundled-schemas,bundles,nag,resource-specification,stack,stage-variables,stages}.test.ts',
  'test/infra/embedded/template/every-type.test.ts',
];

/** `npm run test:long` runs these. */
const LONG = [
  'test/long/**',
  'test/attacks/{builder,descriptors,neighbour,ordinary,patched-builtins,resources}.test.ts',
  'test/bin/admin/{remove-user,service}.test.ts',
  'test/bin/tributary/here.test.ts',
  'test/compat/{apphook,hooks,timers}.test.ts',
  'test/console/browser/**',
  // `npm run test:long` runs every end-to-end test with injected faults; these take long.
  'test/e2e/{breaker,concurrent-runs,delivery-steering,fair-share,real-components,stored-bytes,untrusted-components}.test.ts',
  'test/infra/runtime/freeze.test.ts',
  'test/regressions/{chain-budget,recorded-data,overlapping-synchronous-runs,silent-names,stopped-during-runs,stopped-while-starting,typing-in-a-search,console-that-shows-something}.test.ts',
  'test/service/{examples,full-disk,kill-9,pages,start}.test.ts',
  'test/unit/contract/sqs/{interleavings,quotas}.test.ts',
  'test/unit/functions/builder/{outside-reads,real-components,untrusted-packages}.test.ts',
  'test/unit/functions/runner/{disk-use,untrusted-code}.test.ts',
  'test/unit/infra/compiler.test.ts',
  'test/unit/infra/packages/fetch-package.test.ts',
  'test/unit/regressions/dying-runner-process.test.ts',
];

/** The tests of `npm test`; `vitest.long.config.ts` has those of `npm run test:long`. */
export default defineConfig({
  test: {
    // Several projects transform the same modules.
    experimental: { fsModuleCache: true },
    // Two cores: tests wait for more than half of their time.
    maxWorkers: 5,
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
      // `npm run test:long` injects faults into the other end-to-end tests.
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
