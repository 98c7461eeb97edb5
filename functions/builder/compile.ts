import { build, type BuildOptions, type Message, type Metafile, type OutputFile } from 'esbuild';
import * as z from 'zod';
import type { Imports } from './auth/auth-reads.ts';
import { COMPUTED_NAMES, CompilerMessages, EMPTY_GLOB, type ImportedPackage } from './compiler-messages.ts';
import { COMPONENT, componentPlugin, ENTRY, type ResolvePackage, type SourceFiles } from './component-plugin.ts';
import { isSameCall, requireCallAt, type RequireCall } from './computed-requires.ts';
import { CompilerEnded } from './failure.ts';
import { type NeededAddOn, neededAddOn } from './packages/native-add-ons.ts';
import type { OwnModules } from './own-modules.ts';
import { packageFiles } from './packages/package-paths.ts';
import { packagePlugin } from './packages/package-plugin.ts';
import { positionsOf } from './positions.ts';
import type { PackageSpecifier } from './specifier.ts';
import { wrapModule, wrapScript } from './wrap.ts';

export interface InstalledPackages {
  /** Real path of the folder with `node_modules`. */
  root: string;
  /** Folder name of a package; two versions of a package have two folders. */
  folderOf: (specifier: PackageSpecifier) => string;
}

/** Input of the compiler. */
export interface Compilation {
  sources: SourceFiles;
  own: OwnModules;
  /** Undefined in the first pass, which finds the imported packages. */
  installed: InstalledPackages | undefined;
}

export interface Compiled {
  bundle: string;
  /** Unresolved package imports; the bundle is complete when there are none. */
  packages: ImportedPackage[];
  /** A native add-on that the component needs. */
  addOn?: NeededAddOn | undefined;
  /** Positions at which the component calls `require` with a computed name. */
  computedRequires: string[];
  imports: Imports;
}

const SourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() });
const CompilerFailure = z.object({ errors: z.array(z.custom<Message>()) });

const AWAIT = /^Top-level await is currently not supported/;
const UNRESOLVED = /^Could not resolve "(.+)"$/;

const options: BuildOptions = {
  stdin: {
    contents: `import component from '${ENTRY}'; export { component as default };`,
    sourcefile: ENTRY,
    loader: 'js',
  },
  outfile: 'bundle.js',
  bundle: true,
  write: false,
  platform: 'node',
  // The oldest Node version that runs components.
  target: 'node20',
  keepNames: true,
  legalComments: 'none',
  logLevel: 'silent',
  logLimit: 0,
  // Packages may compute names; a component of its own files must not.
  logOverride: Object.fromEntries(COMPUTED_NAMES.map((id) => [id, 'warning'])),
  sourcemap: 'external',
  sourcesContent: false,
  metafile: true,
  // Keeps the compiler from reading a package's tsconfig.json.
  tsconfigRaw: '{}',
};

/**
 * One run of the compiler, with the calls and imports that earlier ones could not resolve. As in Node, they fail only
 * when they are executed.
 */
interface Pass {
  format: 'cjs' | 'esm';
  /** Imports of packages. */
  missing: ReadonlySet<string>;
  /** Calls with a computed path in files of the component. */
  freeRequires: readonly RequireCall[];
}

type Done = Awaited<ReturnType<typeof runPass>>;

/**
 * Compiles to a script first, because CommonJS code may need sloppy mode. Code with top-level await becomes a module,
 * which is always strict.
 */
export async function compile(compilation: Compilation): Promise<Compiled> {
  const messages = new CompilerMessages(compilation, directoryOf(compilation));
  let pass: Pass = { format: 'cjs', missing: new Set(), freeRequires: [] };
  for (;;) {
    const done = await runPass(compilation, pass);
    const next = nextPass(pass, done);
    if (next) pass = next;
    else if ('errors' in done) throw messages.failureOf(done.errors);
    else return compiledOf(compilation, messages, { ...done, pass });
  }
}

const directoryOf = ({ installed }: Compilation): string => installed?.root ?? '/';

async function runPass(compilation: Compilation, { format, missing, freeRequires }: Pass) {
  const { sources, own, installed } = compilation;
  const absWorkingDir = directoryOf(compilation);
  const dataFiles = packageFiles(absWorkingDir);
  const plugins = [
    componentPlugin({ sources, own, resolvePackage: packageResolver(installed), freeRequires }),
    packagePlugin({ root: installed?.root, own, missing, onFilePaths: dataFiles.add }),
  ];
  // Dynamic `import()` does not work in a function compiled by `vm`.
  const supported = { 'dynamic-import': format === 'esm' };
  try {
    const result = await build({ ...options, format, supported, absWorkingDir, plugins });
    return { result, files: await dataFiles.all() };
  } catch (error) {
    const { success, data } = CompilerFailure.safeParse(error);
    if (!success) throw new CompilerEnded();
    return data;
  }
}

/**
 * Without installed packages, leaves imports external and records each as a warning, which has the line of the import.
 */
const packageResolver =
  (installed: InstalledPackages | undefined): ResolvePackage =>
  async (esbuild, specifier, { path, kind }) => {
    if (!installed) return { path, external: true, warnings: [{ text: path, detail: specifier }] };
    const target = installed.folderOf(specifier) + specifier.subpath;
    const found = await esbuild.resolve(target, { kind, resolveDir: installed.root });
    const missing = specifier.subpath ? `"${specifier.subpath.slice(1)}"` : 'main file';
    if (found.errors.length > 0) return { errors: [{ text: `the package "${specifier.name}" has no ${missing}` }] };
    return {
      path: found.path,
      namespace: found.namespace,
      external: found.external,
      sideEffects: found.sideEffects,
    };
  };

/** The pass that goes around what this one could not resolve; undefined when its result counts. */
function nextPass(pass: Pass, done: Done): Pass | undefined {
  const { format, missing, freeRequires } = pass;
  const messages = 'errors' in done ? done.errors : done.result.warnings.filter(({ id }) => id === EMPTY_GLOB);
  const calls = messages
    .filter(({ location }) => location?.file.startsWith(`${COMPONENT}:`))
    .flatMap((message) => requireCallAt(message) ?? [])
    .filter((call) => !freeRequires.some((known) => isSameCall(known, call)));
  if (calls.length > 0) return { ...pass, freeRequires: [...freeRequires, ...calls] };
  if (!('errors' in done)) return undefined;
  if (format === 'cjs' && done.errors.some(({ text }) => AWAIT.test(text))) return { ...pass, format: 'esm' };
  const more = missingOf(done.errors);
  return more?.some((specifier) => !missing.has(specifier))
    ? { ...pass, missing: new Set([...missing, ...more]) }
    : undefined;
}

/** Imports of packages that cannot be resolved; undefined when the component itself has one, which is an error. */
function missingOf(errors: readonly Message[]): string[] | undefined {
  const found = errors.map(({ text, location }) =>
    location?.file.startsWith('node_modules/') ? UNRESOLVED.exec(text)?.[1] : undefined,
  );
  return found.every((specifier) => specifier !== undefined) ? found : undefined;
}

async function compiledOf(
  compilation: Compilation,
  messages: CompilerMessages,
  { result, files, pass }: Exclude<Done, { errors: unknown }> & { pass: Pass },
): Promise<Compiled> {
  const { outputFiles, warnings, metafile } = result;
  messages.refuseUndefined(warnings);
  const computedRequires = messages.computedRequiresOf(warnings, pass.freeRequires);
  const texts: string[] = [];
  const positions = positionsOf(SourceMap.parse(JSON.parse(outputOf(outputFiles, '.map'))), (source) => {
    if (!source.includes(`${COMPONENT}:`)) return undefined;
    const file = source.slice(source.indexOf(`${COMPONENT}:`));
    texts.push(messages.ownFile(file)?.text ?? '');
    return messages.nameOf(file);
  });
  const wrap = pass.format === 'cjs' ? wrapScript : wrapModule;
  const prelude = await compilation.own.prelude();
  return {
    bundle: wrap(outputOf(outputFiles, '.js'), { prelude, positions, texts, files }),
    packages: messages.openImports(warnings),
    addOn: metafile && (await neededAddOn(metafile, directoryOf(compilation), messages.ownFile)),
    computedRequires,
    imports: importsIn(metafile),
  };
}

/** The imports among the component's own files. */
function importsIn(metafile: Metafile | undefined): Imports {
  const ownIds = (paths: readonly string[]) =>
    paths.flatMap((path) => (path.startsWith(`${COMPONENT}:`) ? [path.slice(COMPONENT.length + 1)] : []));
  return new Map(
    Object.entries(metafile?.inputs ?? {}).flatMap(([file, { imports }]) =>
      ownIds([file]).map((id) => [id, ownIds(imports.map(({ path }) => path))]),
    ),
  );
}

function outputOf(files: readonly OutputFile[] | undefined, ending: string): string {
  return files?.find(({ path }) => path.endsWith(ending))?.text ?? '';
}
