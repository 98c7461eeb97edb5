import { resolve } from 'node:path';
import { build, type BuildOptions, type Message, type Metafile, type OutputFile } from 'esbuild';
import * as z from 'zod';
import type { Imports } from './auth/auth-reads.ts';
import {
  COMPONENT,
  componentPlugin,
  ENTRY,
  type ResolvePackage,
  type SourceFiles,
} from './component-plugin.ts';
import { isSameCall, requireCallAt, type RequireCall } from './computed-requires.ts';
import { CompilerEnded, buildFailureOf, positionText } from './failure.ts';
import { type NeededAddOn, neededAddOn } from './packages/native-add-ons.ts';
import type { OwnModules } from './own-modules.ts';
import { packageFiles } from './packages/package-paths.ts';
import { OUTSIDE, packagePlugin } from './packages/package-plugin.ts';
import { positionsOf } from './positions.ts';
import { withinText } from './source-map-comments.ts';
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

/** A package import of the component itself, with its position, `file:line:column`. */
export interface ImportedPackage extends PackageSpecifier {
  position: string;
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

const OpenImport = z.object({ name: z.string(), range: z.string().optional(), subpath: z.string() });
const SourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() });
const CompilerFailure = z.object({ errors: z.array(z.custom<Message>()) });

const AWAIT = /^Top-level await is currently not supported/;
const UNRESOLVED = /^Could not resolve "(.+)"$/;
const UNDEFINED = /^Import "(.+)" will always be undefined because there is no matching export in "(.+)"$/;

/** Imports that are not part of the bundle: what they name is nowhere when the component runs. */
const EMPTY_GLOB = 'empty-glob';
const COMPUTED_REQUIRE = 'unsupported-require-call';
const COMPUTED_NAMES = ['unsupported-dynamic-import', COMPUTED_REQUIRE, EMPTY_GLOB] as const;

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

type Format = 'cjs' | 'esm';

/** Calls and imports that earlier passes could not resolve. As in Node, they fail only when they are executed. */
interface Unresolved {
  /** Imports of packages. */
  missing: ReadonlySet<string>;
  /** Calls with a computed path in files of the component. */
  freeRequires: readonly RequireCall[];
}

export async function compile({ sources, own, installed }: Compilation): Promise<Compiled> {
  const workingDirectory = installed?.root ?? '/';

  const nameOf = (file: string): string => {
    if (file.startsWith(`${COMPONENT}:`)) return sources.nameOf(file.slice(COMPONENT.length + 1));
    return own.nameOf(resolve(workingDirectory, file)) ?? file;
  };

  /** Without installed packages, leaves imports external and records each as a warning, which has the line of the import. */
  const resolvePackage: ResolvePackage = async (esbuild, specifier, { path, kind }) => {
    if (!installed) return { path, external: true, warnings: [{ text: path, detail: specifier }] };
    const target = installed.folderOf(specifier) + specifier.subpath;
    const found = await esbuild.resolve(target, { kind, resolveDir: installed.root });
    const missing = specifier.subpath ? `"${specifier.subpath.slice(1)}"` : 'main file';
    if (found.errors.length > 0)
      return { errors: [{ text: `the package "${specifier.name}" has no ${missing}` }] };
    return {
      path: found.path,
      namespace: found.namespace,
      external: found.external,
      sideEffects: found.sideEffects,
    };
  };

  async function pass(format: Format, { missing, freeRequires }: Unresolved) {
    const dataFiles = packageFiles(workingDirectory);
    const plugins = [
      componentPlugin({ sources, own, resolvePackage, freeRequires }),
      packagePlugin({ root: installed?.root, own, missing, onFilePaths: dataFiles.add }),
    ];
    // Dynamic `import()` does not work in a function compiled by `vm`.
    const supported = { 'dynamic-import': format === 'esm' };
    try {
      const result = await build({ ...options, format, supported, absWorkingDir: workingDirectory, plugins });
      return { result, files: await dataFiles.all() };
    } catch (error) {
      const { success, data } = CompilerFailure.safeParse(error);
      if (!success) throw new CompilerEnded();
      return data;
    }
  }

  /** An error within the text of a file of this build. The compiler's words for another file, such as a package.json, may quote it. */
  function ofBuild(message: Message): Message {
    const file = message.location?.file ?? ENTRY;
    if (file.startsWith(`${COMPONENT}:`))
      return withinText(message, sources.get(file.slice(COMPONENT.length + 1))?.text ?? '');
    const isInside = file === ENTRY || /^(?:node_modules\/|<data:)/.test(file) || nameOf(file) !== file;
    return isInside ? message : { ...message, location: null, text: OUTSIDE };
  }

  /** Imports of packages that cannot be resolved; undefined when the component itself has one, which is an error. */
  function missingOf(errors: readonly Message[]): string[] | undefined {
    const found = errors.map(({ text, location }) =>
      location?.file.startsWith('node_modules/') ? UNRESOLVED.exec(text)?.[1] : undefined,
    );
    return found.every((specifier) => specifier !== undefined) ? found : undefined;
  }

  function refuseUndefined(warnings: readonly Message[]): void {
    const lacking = warnings.filter(({ text }) =>
      own.nameOf(resolve(workingDirectory, UNDEFINED.exec(text)?.[2] ?? '')),
    );
    if (lacking.length > 0) throw buildFailureOf(lacking, nameOf);
  }

  /** Returns the positions of computed calls of `require`. A computed import is refused. */
  function computedRequiresOf(warnings: readonly Message[], freeRequires: readonly RequireCall[]): string[] {
    const computed = warnings.filter(
      ({ id, location }) =>
        COMPUTED_NAMES.some((name) => name === id) && location?.file.startsWith(`${COMPONENT}:`),
    );
    const imports = computed.filter(({ id }) => id !== COMPUTED_REQUIRE);
    if (imports.length > 0) throw buildFailureOf(imports.map(ofBuild), nameOf);
    return [
      ...computed.map((warning) => positionText(ofBuild(warning), nameOf)),
      ...freeRequires.map(({ file, line, column }) => `${nameOf(file)}:${line}:${column + 1}`),
    ];
  }

  /**
   * Compiles to a script first, because CommonJS code may need sloppy mode. Code with top-level await becomes a module, which is always
   * strict.
   */
  async function run(format: Format, unresolved: Unresolved): Promise<Compiled> {
    const { missing, freeRequires } = unresolved;
    const done = await pass(format, unresolved);
    const messages =
      'errors' in done ? done.errors : done.result.warnings.filter(({ id }) => id === EMPTY_GLOB);
    const calls = messages
      .filter(({ location }) => location?.file.startsWith(`${COMPONENT}:`))
      .flatMap((message) => requireCallAt(message) ?? [])
      .filter((call) => !freeRequires.some((known) => isSameCall(known, call)));
    if (calls.length > 0) return run(format, { missing, freeRequires: [...freeRequires, ...calls] });
    if ('errors' in done) {
      if (format === 'cjs' && done.errors.some(({ text }) => AWAIT.test(text))) return run('esm', unresolved);
      const more = missingOf(done.errors);
      if (more?.some((specifier) => !missing.has(specifier)))
        return run(format, { freeRequires, missing: new Set([...missing, ...more]) });
      throw buildFailureOf(done.errors.map(ofBuild).map(ofEntry), nameOf);
    }
    const { result, files } = done;
    refuseUndefined(result.warnings);
    const computedRequires = computedRequiresOf(result.warnings, freeRequires);
    const text = (ending: string) => outputOf(result.outputFiles, ending);
    const ownFile = (file: string) =>
      file.startsWith(`${COMPONENT}:`) ? sources.get(file.slice(COMPONENT.length + 1)) : undefined;
    const texts: string[] = [];
    const positions = positionsOf(SourceMap.parse(JSON.parse(text('.map'))), (source) => {
      if (!source.includes(`${COMPONENT}:`)) return undefined;
      const file = source.slice(source.indexOf(`${COMPONENT}:`));
      texts.push(ownFile(file)?.text ?? '');
      return nameOf(file);
    });
    const wrap = format === 'cjs' ? wrapScript : wrapModule;
    return {
      bundle: wrap(text('.js'), { prelude: await own.prelude(), positions, texts, files }),
      packages: openImports(result.warnings),
      addOn: result.metafile && (await neededAddOn(result.metafile, workingDirectory, ownFile)),
      computedRequires,
      imports: importsIn(result.metafile),
    };
  }

  function openImports(warnings: readonly Message[]): ImportedPackage[] {
    return warnings.flatMap((warning) => {
      const { success, data } = OpenImport.safeParse(warning.detail);
      return success ? [{ ...data, range: data.range, position: positionText(warning, nameOf) }] : [];
    });
  }

  return run('cjs', { missing: new Set(), freeRequires: [] });
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

/** Removes positions in the generated entry stub: an error there is one of the component's entry file. */
function ofEntry(message: Message): Message {
  return message.location?.file === ENTRY ? { ...message, location: null } : message;
}

function outputOf(files: readonly OutputFile[] | undefined, ending: string): string {
  return files?.find(({ path }) => path.endsWith(ending))?.text ?? '';
}
