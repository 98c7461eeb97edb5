import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The console's program for browsers. Its imports include the style sheets. */
export const consoleProgram = 'functions/console/app/main.tsx';
const ICON = 'functions/console/app/icon.svg';

const EXAMPLES = 'docs/examples';

/** The module `console:examples`: the texts of the example components. */
const exampleTexts: Plugin = {
  name: 'example-texts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^console:examples$/ }, ({ path }) => ({ path, namespace: 'example-texts' }));
    onLoad({ filter: /./, namespace: 'example-texts' }, async () => {
      const names = (await readdir(join(root, EXAMPLES))).filter((name) => name.endsWith('.mjs')).sort();
      const texts = await Promise.all(names.map((name) => readFile(join(root, EXAMPLES, name), 'utf8')));
      return { contents: JSON.stringify(texts), loader: 'json' };
    });
  },
};

/**
 * The build of the console. Names contain a hash of the content; modules that a page loads later are files of their
 * own.
 */
export const consoleBuild = (outdir: string): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: { app: consoleProgram, icon: ICON },
  outdir,
  tsconfig: join(root, 'functions/console/app/tsconfig.json'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  loader: { '.svg': 'copy' },
  plugins: [exampleTexts],
  minify: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'silent',
});

/** Builds the console into a folder: each file as it is and compressed, so that no request compresses anything. */
export async function buildConsoleApp(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build(consoleBuild(folder));
  if (!metafile) throw new Error('The build of the console has no metafile.');
  const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
  await writeFile(join(folder, 'index.html'), await pageOf(metafile));
  await Promise.all([...outputs, 'index.html'].map((name) => compress(join(folder, name))));
}

/** The page with the addresses of the files that it needs at once. */
async function pageOf({ outputs }: Metafile): Promise<string> {
  const template = await readFile(join(root, 'functions/console/app/page.html'), 'utf8');
  const [script, program] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === consoleProgram) ?? [];
  const icon = Object.keys(outputs).find((path) => extname(path) === '.svg');
  if (script === undefined || program?.cssBundle === undefined || icon === undefined)
    throw new Error('The build of the console lacks its script, style sheet or icon.');
  const addressOf = (path: string) => `/console/assets/${basename(path)}`;
  const preloads = program.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="${addressOf(path)}" />`);
  return template
    .replace('{{icon}}', addressOf(icon))
    .replace('{{style}}', addressOf(program.cssBundle))
    .replace('{{script}}', addressOf(script))
    .replace('{{preloads}}', preloads.join(''));
}

/** A higher quality takes ten times as long for a twentieth fewer bytes. */
const BROTLI_QUALITY = 9;

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((bytes) => writeFile(`${file}.br`, bytes)),
    promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ]);
}
