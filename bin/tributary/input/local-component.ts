import type { build, Location, Message, Metafile } from 'esbuild';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { codeFrame } from '../../../shared/lib/code-frame.ts';
import { refusedFailure } from '../failures.ts';
import { packageOfImport, packageRanges } from './local-ranges.ts';
import { readTextFile } from './read-input.ts';

/** The body that makes a component from a file. */
export interface ComponentBody {
  component_code: string;
  component_path: string;
  /** Files that are imported relatively, and the version ranges of packages, by their paths beside the entry. */
  component_files?: Record<string, string>;
}

export interface ReadComponent {
  body: ComponentBody;
  /** Absolute paths of all files, the entry first. */
  paths: string[];
}

export async function readComponentFiles(entry: string, shown: string): Promise<ComponentBody> {
  return (await readComponent(entry, shown)).body;
}

/**
 * Reads a component with the files that it imports relatively, and with the version ranges that its package.json has
 * for the packages that it imports. `shown` is the entry's name in messages.
 */
export async function readComponent(entry: string, shown: string): Promise<ReadComponent> {
  const code = await readTextFile(entry, shown);
  const { files, packages } = await importsOf(entry);
  const imported = files.filter((path) => path !== entry);
  const { ranges, paths: manifests } = await packageRanges(dirname(entry), packages);
  const root = commonFolder([entry, ...imported]);
  const nameOf = (path: string) => relative(root, path).split(sep).join('/');
  const texts = await Promise.all(
    imported.map(async (path) => [nameOf(path), await readTextFile(path, nameOf(path))] as const),
  );
  const sent = new Map(texts);
  const manifest = nameOf(join(dirname(entry), 'package.json'));
  // A package.json that the component imports is sent as it is.
  if (manifests.length > 0 && !sent.has(manifest))
    sent.set(manifest, `${JSON.stringify({ dependencies: ranges }, null, 2)}\n`);
  return {
    body: {
      component_code: code,
      component_path: nameOf(entry),
      ...(sent.size === 0 ? {} : { component_files: Object.fromEntries([...sent].sort()) }),
    },
    paths: [...new Set([entry, ...imported, ...manifests])],
  };
}

const BuildErrors = z.object({ errors: z.array(z.custom<Message>()) });

interface Imports {
  /** All files of the entry's relative imports, and the entry. */
  files: string[];
  /** Names of the packages that they import without a version. */
  packages: ReadonlySet<string>;
}

/** Imports of the entry and of its files, found by the compiler that the service uses. */
async function importsOf(entry: string): Promise<Imports> {
  const folder = dirname(entry);
  // Only commands that read files need the compiler.
  const { build } = await import('esbuild');
  const metafile = await build({
    entryPoints: [entry],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    tsconfigRaw: '{}',
    plugins: [onlyRelative],
  }).then(
    (result): Metafile => result.metafile,
    (error: unknown) => {
      throw refusedFailure(positionsOf(error, folder), 'build_failed');
    },
  );
  const reached = reachable(metafile, relative(folder, entry).split(sep).join('/'));
  const specifiers = reached.flatMap((path) => metafile.inputs[path]?.imports ?? []);
  return {
    files: reached.map((path) => resolve(folder, path)),
    packages: new Set(
      specifiers.flatMap(({ path, external }) => (external === true ? (packageOfImport(path) ?? []) : [])),
    ),
  };
}

/**
 * The files that literal imports lead to. A computed path stands for whole folders, and the service refuses it with its
 * line.
 */
function reachable({ inputs }: Metafile, entry: string): string[] {
  const found = new Set([entry]);
  for (const path of found)
    for (const imported of inputs[path]?.imports ?? []) if (imported.path in inputs) found.add(imported.path);
  return [...found];
}

const onlyRelative = {
  name: 'only-relative-imports',
  setup({ onResolve }: Parameters<NonNullable<Parameters<typeof build>[0]['plugins']>[number]['setup']>[0]) {
    onResolve({ filter: /^[^./]|^\/|^\.[^./]/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { external: true },
    );
  },
};

/** `new-item.mjs:3:7: Expected ";"`, and below it the line with a caret, for each error. */
function positionsOf(error: unknown, folder: string): string {
  const read = BuildErrors.safeParse(error);
  if (!read.success) return String(error);
  return read.data.errors
    .map(({ location, text }) => (location ? positionOf(location, text, folder) : text))
    .join('\n');
}

function positionOf({ file, line, column, lineText }: Location, text: string, folder: string): string {
  // The compiler counts bytes.
  const characters = Buffer.from(lineText).subarray(0, column).toString().length;
  const path = relative(folder, resolve(folder, file)) || basename(file);
  return [`${path}:${line}:${characters + 1}: ${text}`, codeFrame(lineText, characters) ?? []].flat().join('\n');
}

function commonFolder(paths: readonly string[]): string {
  let [folder = ''] = paths.map((path) => dirname(path));
  while (!paths.every((path) => path.startsWith(join(folder, '/')))) folder = dirname(folder);
  return folder;
}
