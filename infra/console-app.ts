import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { readGuide, searchedSections } from './guide/guide.ts';
import { writeGuide } from './guide/write-guide.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The console's program for browsers. Its imports include the style sheets. */
export const consoleProgram = 'functions/console/app/main.tsx';
/** The script that runs before the first paint. */
export const firstScript = 'functions/console/app/theme/first-theme.ts';
/** The guide's program for browsers. */
export const guideProgram = 'functions/console/app/guide/guide.ts';
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

/** The module `console:guide`: what the search of the guide reads. */
const guideSections: Plugin = {
  name: 'guide-sections',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^console:guide$/ }, ({ path }) => ({ path, namespace: 'guide-sections' }));
    onLoad({ filter: /./, namespace: 'guide-sections' }, async () => ({
      contents: JSON.stringify(searchedSections(await readGuide())),
      loader: 'json',
    }));
  },
};

/**
 * The build of the console and of the guide. Names contain a hash of the content; modules that a page loads later are
 * files of their own.
 */
export const consoleBuild = (
  outdir: string,
  programs: Readonly<Record<string, string>> = { app: consoleProgram, guide: guideProgram },
): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: { ...programs, first: firstScript, icon: ICON },
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
  plugins: [exampleTexts, guideSections],
  minify: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'silent',
});

/**
 * Builds the console into `files` and the guide into `guide`: each file as it is and compressed, so that no request
 * compresses anything.
 */
export async function buildConsoleApp(folder: string): Promise<void> {
  const [files, guide] = [join(folder, 'files'), join(folder, 'guide')];
  await Promise.all([files, guide].map((path) => rm(path, { recursive: true, force: true })));
  await mkdir(files, { recursive: true });
  const { metafile } = await build({ ...consoleBuild(files), metafile: true });
  const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
  await writeFile(join(files, 'index.html'), await pageOf(metafile));
  const pages = await writeGuide(guide, {
    ...browserFiles(metafile, guideProgram, addressOf),
    pageAddress: (name) => (name === 'index' ? '/guide' : `/guide/${name}`),
    imageAddress: (name) => `/guide/${name}`,
    around: ['/guide/', ''],
    links: [
      ['/console', 'Console'],
      ['/docs', 'API documentation'],
    ],
  });
  await Promise.all([
    ...[...outputs, 'index.html'].map((name) => compress(join(files, name))),
    ...pages.map((name) => compress(join(guide, name))),
  ]);
}

/** Writes the guide as files that need no service. */
export async function buildGuideSite(folder: string): Promise<void> {
  const { metafile } = await build({
    ...consoleBuild(join(folder, 'assets'), { guide: guideProgram }),
    metafile: true,
  });
  await writeGuide(folder, {
    ...browserFiles(metafile, guideProgram, (path) => `assets/${basename(path)}`),
    pageAddress: (name) => `${name}.html`,
    imageAddress: (name) => name,
    around: ['', '.html'],
    links: [],
  });
}

const addressOf = (path: string): string => `/console/assets/${basename(path)}`;

/** The addresses of a program, its style sheet, the icon, and the script before the first paint. */
function browserFiles({ outputs }: Metafile, entry: string, addressOfFile: (path: string) => string) {
  const builtFrom = (source: string) =>
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
  const [script, program] = builtFrom(entry);
  const [first] = builtFrom(firstScript);
  const icon = Object.keys(outputs).find((path) => extname(path) === '.svg');
  if (script === undefined || first === undefined || program?.cssBundle === undefined || icon === undefined)
    throw new Error(`The build of ${entry} lacks its script, style sheet or icon.`);
  return {
    script: addressOfFile(script),
    first: addressOfFile(first),
    style: addressOfFile(program.cssBundle),
    icon: addressOfFile(icon),
    program,
  };
}

/** The page with the addresses of the files that it needs at once. */
async function pageOf(metafile: Metafile): Promise<string> {
  const template = await readFile(join(root, 'functions/console/app/page.html'), 'utf8');
  const { script, style, icon, first, program } = browserFiles(metafile, consoleProgram, addressOf);
  const preloads = program.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="${addressOf(path)}" />`);
  return template
    .replace('{{icon}}', icon)
    .replace('{{style}}', style)
    .replace('{{script}}', script)
    .replace('{{first}}', first)
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
