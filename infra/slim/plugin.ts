import type { Plugin } from 'esbuild';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Replacement, replacements } from './replacements.ts';

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, '../../node_modules');

/** Replaces modules of packages by path. A path that a package no longer has fails the build. */
export const replacing = (modules: readonly Replacement[]): Plugin => ({
  name: 'slim',
  setup({ onStart, onResolve, onLoad }) {
    onStart(() => ({
      errors: modules
        .filter(({ module }) => !existsSync(join(packages, module)))
        .map(({ module, by }) => ({ text: `infra/slim/${by} replaces ${module}, which does not exist` })),
    }));

    for (const { module, by, as } of modules) {
      onLoad({ filter: new RegExp(`/node_modules/${module.replaceAll('.', '\\.')}$`) }, () => ({
        contents: as ? `module.exports = require('./${by}').${as};` : `export * from './${by}';`,
        resolveDir: here,
      }));
    }

    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ importer, kind }) => {
      if (dirname(importer) === here) return undefined;
      const isLambda = kind !== 'dynamic-import' && importer.includes('/@aws-sdk/client-lambda/');
      return { path: join(here, isLambda ? 'lambda-event-streams.ts' : 'event-streams.ts') };
    });
  },
});

/** Keeps out of the functions' bundles what no function uses and what they would be slow to load with. */
export const slim = replacing(replacements);
