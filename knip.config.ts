import type { KnipConfig } from 'knip';
import { bundledPrograms } from './infra/bundle.ts';
import { consoleProgram, firstScript, guideProgram } from './infra/console-app.ts';
import { replacements } from './infra/slim/replacements.ts';

/** `knip` finds files, exports and dependencies that nothing uses. Here is what is used in a way that it cannot see. */
const config: KnipConfig = {
  entry: [
    // Programs that a person or another program starts.
    'bin/{tributary,build-checkout,deploy,assemble,build-package,build-docs}.ts',
    // The build of the package starts from these.
    'shared/client/index.ts',
    'bin/component/index.ts',
    'infra/tributary/tributary.ts',
    'docs/examples/playground.mjs',
    'test/programs/{bench/bench,chaos/chaos,compat/compat}.ts',
    // Programs that esbuild bundles, and replacements of parts of packages.
    ...Object.values(bundledPrograms),
    consoleProgram,
    firstScript,
    guideProgram,
    'infra/embedded/lambda/thread-entry.ts',
    'infra/embedded/isolation/spawner-entry.ts',
    'infra/slim/{assertion,event-streams,lambda-event-streams}.ts',
    ...replacements.map(({ by }) => `infra/slim/${by}`),
    'test/{unit/infra/clients-entry,infra/schemas-entry}.ts',
    // Programs that tests and benches start in a process of their own.
    'test/programs/bench/start-with-limits.ts',
    'test/programs/bench/peers/floor-{program.ts,component.mjs}',
    'test/programs/attacks/neighbour/{observer,yardstick}.ts',
    'test/programs/attacks/patched/component.ts',
    'test/unit/functions/runner/service.ts',
    'test/programs/recorded/ten-years-later.mjs',
    'test/unit/contract/sqs/oracle/index.mjs',
    'test/support/oidc-provider.mjs',
    // `package.json` puts it in the place of packages.
    'infra/absent-package/index.cjs',
  ],
  project: ['{bin,infra,functions,shared,test}/**/*.{ts,tsx,cjs,mjs}', '*.{ts,mjs}'],
  ignoreDependencies: [
    // The README deploys with `npx cdk`.
    'aws-cdk',
    // `package.json` overrides them with `infra/absent-package`.
    '@aws-cdk/asset-awscli-v1',
    '@aws-cdk/asset-node-proxy-agent-v6',
    'node-gyp',
    // Installed by infra/packages/installed-packages.ts.
    'fauxqs',
  ],
  // Built into the shell, or of the operating system.
  ignoreBinaries: ['wait', 'unshare', 'ipcmk', 'ipcrm', 'bwrap', 'img2webp'],
};

export default config;
