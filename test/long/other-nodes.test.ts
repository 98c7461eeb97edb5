import { describe, expect, test } from 'vitest';
import { hasOtherNodes, testsWith } from '../support/other-node.ts';
import { trustRegistry } from '../support/registry-certificates.ts';

trustRegistry();

const LONG = ['--config', 'vitest.long.config.ts'];
const ATTACKS = [...LONG, '--project', 'attacks'];

describe.runIf(hasOtherNodes)('on another Node', { timeout: 1_200_000 }, () => {
  test.each([
    { version: 24, what: 'the attack suite holds', args: ATTACKS, least: 100 },
    { version: 26, what: 'the attack suite holds', args: ATTACKS, least: 100 },
    { version: 24, what: 'the unit tests pass', args: ['--project', 'unit*'], least: 3000 },
    { version: 24, what: 'events are delivered', args: ['--project', 'stack*', 'test/e2e'], least: 50 },
    { version: 22, what: "the README's tour works", args: ['test/service/readme-tour.test.ts'], least: 1 },
    { version: 26, what: "the README's tour works", args: ['test/service/readme-tour.test.ts'], least: 1 },
  ] as const)('$version: $what', async ({ version, args, least }) => {
    const { passed, failed } = await testsWith(version, args);

    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(least);
  });
});
