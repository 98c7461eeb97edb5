import type { KnipConfig } from 'knip';
import { bundledPrograms } from './infra/bundle.ts';
import { replacements } from './infra/slim/replacements.ts';

/** `knip` finds files, exports and dependencies that nothing uses. Here is what is used in a way that it cannot see. */
const config: KnipConfig = {
  entry: [
    // Programs that a person or another program starts.
    'bin/{start,admin,deploy,assemble}.ts',
    'docs/examples/*.mjs',
    'test/{bench/bench,compat/compat}.ts',
    // What esbuild bundles, and what it puts in the place of parts of packages.
    ...Object.values(bundledPrograms),
    'infra/embedded/lambda/thread-entry.ts',
    'infra/embedded/isolation/spawner-entry.ts',
    'infra/slim/{assertion,event-streams,lambda-event-streams}.ts',
    ...replacements.map(({ by }) => `infra/slim/${by}`),
    'test/{unit/infra/clients-entry,infra/schemas-entry}.ts',
    // Programs that tests start in a process of their own.
    'test/unit/functions/runner/service.ts',
    'test/long/contract/sqs/oracle/index.mjs',
    // `package.json` puts it in the place of packages.
    'infra/absent-package/index.cjs',
  ],
  project: ['{bin,infra,functions,shared,test}/**/*.{ts,cjs,mjs}', '*.{ts,mjs}'],
  ignoreDependencies: [
    // The README deploys with `npx cdk`.
    'aws-cdk',
    // `package.json` overrides them with `infra/absent-package`.
    '@aws-cdk/asset-awscli-v1',
    '@aws-cdk/asset-node-proxy-agent-v6',
    'node-gyp',
    // Installed by test/support/installed-packages.ts.
    'fauxqs',
  ],
  // Built into the shell.
  ignoreBinaries: ['wait'],
};

export default config;
