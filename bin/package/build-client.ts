import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withPackages } from '../../infra/packages/installed-packages.ts';
import { openApi } from '../../shared/http/openapi/openapi.ts';

const run = promisify(execFile);

/** The folders of `shared` that hold the client and all that it imports. */
export const CLIENT_FOLDERS = ['client', 'domain', 'lib'];

/** Builds the client into `client.js`, and its types, with those of the OpenAPI document, into `types/`. */
export async function buildClient(root: string, dist: string): Promise<void> {
  await Promise.all([
    build({
      absWorkingDir: root,
      entryPoints: ['shared/client/index.ts'],
      outfile: join(dist, 'client.js'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      external: ['openapi-fetch'],
      logLevel: 'warning',
    }),
    buildTypes(root, join(dist, 'types')),
  ]);
}

async function buildTypes(root: string, outDir: string): Promise<void> {
  const copy = join(root, '.build', 'client');
  await rm(copy, { recursive: true, force: true });
  for (const folder of CLIENT_FOLDERS) await cp(join(root, 'shared', folder), join(copy, folder), { recursive: true });
  await generatePaths(root, copy);
  await writeFile(
    join(copy, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        incremental: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: '.',
        outDir,
      },
      include: ['client'],
    }),
  );
  await tool(join(root, 'node_modules'), 'tsc', '-p', copy);
}

/** The types of the document take the place of the file that stands for them. */
const generatePaths = (root: string, copy: string): Promise<void> =>
  writeOpenApiTypes(root, { document: openApi('http://127.0.0.1:3000'), to: join(copy, 'client', 'paths.ts') });

/** Writes the types of an OpenAPI document, with further options of openapi-typescript. */
export async function writeOpenApiTypes(
  root: string,
  { document, to, options = [] }: { document: unknown; to: string; options?: readonly string[] },
): Promise<void> {
  const generator = await withPackages(
    join(root, 'infra', 'packages', 'openapi-typescript'),
    join(root, 'node_modules', '.cache', 'tributary', 'packages'),
  );
  const file = `${to}.json`;
  await writeFile(file, JSON.stringify(document));
  await tool(join(generator, 'node_modules'), 'openapi-typescript', file, '-o', to, ...options);
  await rm(file);
}

async function tool(modules: string, name: string, ...args: string[]): Promise<void> {
  await run(join(modules, '.bin', name), args).catch(({ stdout, stderr }: Record<string, string>) => {
    throw new Error(`${name} failed:\n${stdout}${stderr}`);
  });
}
