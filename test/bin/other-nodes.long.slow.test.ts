import { describe, expect, test } from 'vitest';
import { hasOtherNodes, testsWith } from '../support/other-node.ts';
import { trustRegistry } from '../support/registry-certificates.ts';

trustRegistry();

const LONG = ['--config', 'vitest.long.config.ts'];
/** `test/programs/attacks/as-user.long.slow.test.ts` runs the others on Node 24. */
const ATTACKS = ['builder', 'patched-builtins', 'resources'].map((name) => `test/unit/programs/attacks/${name}.`);
/**
 * The unit tests of what depends on Node: processes, sockets, files, the runner's walls. Those of the domain do not.
 */
const UNIT = ['functions/builder', 'functions/runner', 'infra', 'shared/aws', 'shared/dns', 'shared/runtime'].map(
  (name) => `test/unit/${name}`,
);
const E2E = ['events', 'lifecycle', 'accounts'].map((name) => `test/e2e/${name}.`);

describe.runIf(hasOtherNodes)('on another Node', { timeout: 1_200_000 }, () => {
  test.each([
    {
      version: 24,
      what: 'attacks by packages and by loads fail',
      args: [...LONG, '--project', 'unit', ...ATTACKS],
      least: 50,
    },
    { version: 24, what: 'the unit tests pass', args: ['--project', 'unit*', ...UNIT], least: 1000 },
    { version: 24, what: 'events are delivered', args: [...LONG, '--project', 'faults', ...E2E], least: 50 },
    {
      version: 22,
      what: "the README's tour works",
      args: ['test/bin/service/readme-tour.alone.test.ts'],
      least: 1,
    },
    {
      version: 26,
      what: "the README's tour works",
      args: ['test/bin/service/readme-tour.alone.test.ts'],
      least: 1,
    },
  ] as const)('$version: $what', async ({ version, args, least }) => {
    const { passed, failed } = await testsWith(version, args);

    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(least);
  });
});
