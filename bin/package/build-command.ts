import { build, type BuildOptions } from 'esbuild';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { REQUIRE_BANNER } from '../../infra/bundle.ts';

/** Packages with a program for each platform. The package depends on them. */
const NATIVE = ['classic-level', 'esbuild'];

/**
 * Bundles the command with its packages into `command/`: it loads a few files instead of a thousand, and needs no
 * TypeScript loader.
 */
export async function buildCommand(root: string, dist: string): Promise<void> {
  await Promise.all([
    build(commandBuild(root, dist)),
    // `doctor --stage` reads them.
    cp(join(root, 'infra', 'stages'), join(dist, 'command', 'stages'), { recursive: true }),
  ]);
}

export const commandBuild = (root: string, dist: string): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: { tributary: 'bin/tributary.ts' },
  outdir: join(dist, 'command'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  external: NATIVE,
  banner: { js: REQUIRE_BANNER },
  // Identifiers stay, so that stacks of errors name the functions. `keepNames` would name each closure again when it is
  // made.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
});
