import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { testResults } from '../../support/test-results.ts';

/** The ordinary user of most systems that owns no files. */
const NOBODY = 65534;
const FILES = ['attacks', 'wall', 'lines', 'ordinary'].map((name) => `test/unit/programs/attacks/${name}.`);

const isRoot = process.getuid?.() === 0;

/** A checkout in the home directory of root is closed to other users. */
function canRead(user: number): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'cat package.json'], { uid: user, gid: user, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Without root, the attack suite itself runs as an ordinary user.
test.runIf(isRoot && canRead(NOBODY))(
  'the attacks fail where an ordinary user runs the service',
  { timeout: 1_200_000 },
  async () => {
    const { passed, failed } = await testResults({
      node: process.execPath,
      args: ['--config', 'vitest.long.config.ts', '--project', 'unit', ...FILES],
      user: NOBODY,
    });

    expect(failed).toEqual([]);
    // Without the rows of the level `user`, which only root can offer.
    expect(passed).toBeGreaterThanOrEqual(200);
  },
);
