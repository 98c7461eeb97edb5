import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasOtherNodes, nodeOf } from '../../support/other-node.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';
import { testResults } from '../../support/test-results.ts';

trustRegistry();

/** The ordinary user of most systems that owns no files. */
const NOBODY = 65534;
/** The others need files of the user who runs them: test/bin/other-nodes.long.slow.test.ts. */
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

/** Without root, the attack suite itself runs as an ordinary user. */
const user = isRoot && canRead(NOBODY) ? NOBODY : undefined;

test.runIf(hasOtherNodes || user !== undefined)(
  'the attacks fail where an ordinary user runs the service on Node 24',
  { timeout: 1_200_000 },
  async () => {
    const { passed, failed } = await testResults({
      node: hasOtherNodes ? await nodeOf(24) : process.execPath,
      args: ['--config', 'vitest.long.config.ts', '--project', 'unit', ...FILES],
      ...(user === undefined ? {} : { user }),
    });

    expect(failed).toEqual([]);
    // Without the rows of the level `user`, which only root can offer.
    expect(passed).toBeGreaterThanOrEqual(200);
  },
);
