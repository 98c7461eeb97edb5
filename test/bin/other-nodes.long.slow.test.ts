import { describe, expect, test } from 'vitest';
import { hasOtherNodes, testsWith } from '../support/other-node.ts';
import { trustRegistry } from '../support/registry-certificates.ts';

trustRegistry();

const LONG = ['--config', 'vitest.long.config.ts'];
const ATTACKS = [...LONG, '--project', 'unit', 'test/unit/programs/attacks'];
/** In one pool of workers: end-to-end tests wait for most of their time. */
const UNIT_AND_E2E = ['--project', 'unit*', '--project', 'stack*', 'test/unit', 'test/e2e'];

describe.runIf(hasOtherNodes)('on another Node', { timeout: 1_200_000 }, () => {
  test.each([
    { version: 24, what: 'the attack suite holds', args: ATTACKS, least: 100 },
    { version: 24, what: 'the unit tests pass and events are delivered', args: UNIT_AND_E2E, least: 3050 },
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
