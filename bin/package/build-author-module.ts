import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { REQUIRE_BANNER } from '../../infra/bundle.ts';

/** The files of `bin/component` whose types authors see. Each declares the types of its exports. */
const TYPED = ['index', 'define-source', 'component-events', 'prop-types', 'component-run'];

/** Builds what authors of components import into `component.js`, and its types. It runs the programs of `assembly/`. */
export async function buildAuthorModule(root: string, dist: string): Promise<void> {
  const types = join(dist, 'types', 'component');
  await mkdir(types, { recursive: true });
  await Promise.all([
    build({
      absWorkingDir: root,
      entryPoints: ['bin/component/index.ts'],
      outfile: join(dist, 'component.js'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      mainFields: ['module', 'main'],
      external: ['esbuild'],
      banner: { js: REQUIRE_BANNER },
      minifyWhitespace: true,
      minifySyntax: true,
      keepNames: true,
      legalComments: 'none',
      logLevel: 'warning',
    }),
    ...TYPED.map((name) => writeTypes(join(root, 'bin', 'component', `${name}.ts`), join(types, `${name}.d.ts`))),
  ]);
}

export async function writeTypes(from: string, to: string): Promise<void> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(from, 'utf8'), {
    fileName: from,
    reportDiagnostics: true,
    compilerOptions: { strict: true, declaration: true, isolatedDeclarations: true },
  });
  if (diagnostics.length > 0)
    throw new Error(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => '',
        getNewLine: () => '\n',
      }),
    );
  await writeFile(to, outputText);
}
