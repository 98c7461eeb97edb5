import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { functionsBuilds, modulesBuild } from '../../infra/bundle.ts';
import { consoleBuild } from '../../infra/console-app.ts';
import { programBuild } from '../../infra/embedded/programs.ts';
import { commandBuild } from './build-command.ts';
import { constructBuild } from './build-construct.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

/**
 * Writes the licences of the packages in the bundles of the command, the construct and the assembly. The client's
 * bundle contains no package.
 */
export async function buildNotices(root: string, dist: string): Promise<void> {
  const text = await thirdPartyNotices(root, [
    commandBuild(root, dist),
    constructBuild(root, dist),
    ...functionsBuilds(dist),
    modulesBuild(dist),
    consoleBuild(dist),
    programBuild('thread', join(dist, 'thread.cjs')),
    programBuild('spawner', join(dist, 'spawner.cjs')),
  ]);
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), text);
}
