import { isBuiltin } from 'node:module';
import type { Loader, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { COMPUTED_PATH, type RequireCall, withFreeRequires } from './computed-requires.ts';
import { BuildFailure } from './failure.ts';
import type { OwnModules } from './own-modules.ts';
import { withFilePaths } from './packages/package-paths.ts';
import { withoutSourceMap } from './source-map-comments.ts';
import { ownModule, parsePackage, type PackageSpecifier } from './specifier.ts';

/**
 * The compiler's namespace for component files. Not a directory, so that no file of this machine can be imported
 * relative to them.
 */
export const COMPONENT = 'component';
/** Name of the generated entry stub, and of its import of the component. */
export const ENTRY = 'component-entry';

export interface SourceFile {
  /** A URL, or a plain name for code sent as text; has the file's ending. */
  id: string;
  text: string;
  loader: Loader;
}

/** The files of the component under build. */
export interface SourceFiles {
  entry: SourceFile;
  /** The entry's path, if the caller chose one. It is a part of the component's content: errors name it. */
  entryPath?: string | undefined;
  relative: (specifier: string, importer: string) => Promise<SourceFile>;
  get: (id: string) => SourceFile | undefined;
  /** The files loaded so far. */
  all: () => SourceFile[];
  /** Name of a file in messages. */
  nameOf: (id: string) => string;
}

export type ResolvePackage = (
  build: PluginBuild,
  specifier: PackageSpecifier,
  args: OnResolveArgs,
) => Promise<OnResolveResult> | OnResolveResult;

const asErrors = (error: unknown): OnResolveResult => {
  if (error instanceof BuildFailure) return { errors: [{ text: error.message }] };
  throw error;
};

/** Paths computed at run time, for which the compiler would search folders of this machine. */
const COMPUTED = /\b(?:import|require)\s*\(\s*(?:`\.{1,2}\/[^`]*\$\{|(["'])\.{1,2}\/[^"']*\1\s*\+)/g;

/** Computed paths with `../`. */
function climbingImports(text: string): { text: string; line: number; column: number }[] {
  const climbing = [...text.matchAll(COMPUTED)].filter(([found]) => found.includes('../'));
  return climbing.map(({ 0: found, index }) => {
    const path = index + found.search(/["'`]/);
    return {
      text: COMPUTED_PATH,
      line: text.slice(0, path).split('\n').length,
      column: Buffer.byteLength(text.slice(text.lastIndexOf('\n', path) + 1, path)),
    };
  });
}

/** A prefix of `paths` in a tsconfig.json or of `imports` in a package.json. */
const isPathAlias = (specifier: string): boolean => /^[@~#](?:\/|$)|^#/.test(specifier);

const RELATIVE_INSTEAD =
  '`paths` of a tsconfig.json and `imports` of a package.json are not read: write the relative path of the file, such as "./lib/file.mjs"';

/** The import to write instead of a specifier that is none. */
const mendOf = (specifier: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(specifier)
    ? 'an address is no import: import the npm package by its name, or send the file with the component and import it by its relative path'
    : 'a component may import its own files by relative path, npm packages and Node builtins';

/** Only `type: "json"` is supported: other attributes could put any readable file into the bundle as text. */
export function unsupportedAttribute(attributes: Record<string, string>): string | undefined {
  const found = Object.entries(attributes).find(([key, value]) => key !== 'type' || value !== 'json');
  return found && `the import attribute ${found[0]}: "${found[1]}" is not supported; only type: "json" is`;
}

/**
 * Allows only these imports in a component's own files: its other files, packages of this build, platform modules and
 * Node builtins. Everything else is refused.
 */
export function componentPlugin({
  sources,
  own,
  resolvePackage,
  freeRequires,
}: {
  sources: SourceFiles;
  own: OwnModules;
  resolvePackage: ResolvePackage;
  /** Calls of `require` that are left to the time of the run. */
  freeRequires: readonly RequireCall[];
}): Plugin {
  async function resolve(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult> {
    const { path, kind } = args;
    const attribute = unsupportedAttribute(args.with);
    if (attribute) throw new BuildFailure(attribute);
    if (kind === 'require-resolve') return { path, external: true };
    const platformModule = ownModule(path);
    if (platformModule) return { path: own.path(platformModule) };
    if (isBuiltin(path)) return { path, external: true };
    if (/^\.{1,2}(?:\/|$)/.test(path)) {
      const { id } = await sources.relative(path, args.importer);
      return { path: id, namespace: COMPONENT };
    }
    const alias = isPathAlias(path);
    const specifier = alias ? undefined : parsePackage(path);
    if (specifier) return resolvePackage(build, specifier, args);
    throw new BuildFailure(`"${path}" cannot be imported; ${alias ? RELATIVE_INSTEAD : mendOf(path)}`);
  }

  async function load(id: string): Promise<OnLoadResult> {
    const file = sources.get(id);
    if (!file) throw new Error(`no file ${id} was fetched`);
    if (file.loader === 'json') return { contents: file.text, loader: 'json' };
    const calls = freeRequires.filter((call) => call.file === `${COMPONENT}:${id}`);
    const located = withoutSourceMap(withFilePaths(file.text, sources.nameOf(id)) ?? file.text);
    const contents = withFreeRequires(located, calls);
    const lacking = (await own.lacking(file.text)).map((each) => ({ ...each, column: 0, of: file.text }));
    const climbing = climbingImports(contents).map((each) => ({ ...each, of: contents }));
    const errors = [...lacking, ...climbing].map(({ text, line, column, of }) => ({
      text,
      location: {
        file: `${COMPONENT}:${id}`,
        line,
        column,
        lineText: of.split('\n', line)[line - 1] ?? '',
      },
    }));
    if (errors.length > 0) return { errors };
    return { contents, loader: file.loader };
  }

  return {
    name: 'component',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, ({ importer, namespace }) =>
        namespace === COMPONENT || importer !== ENTRY ? undefined : { path: sources.entry.id, namespace: COMPONENT },
      );
      build.onResolve({ filter: /.*/, namespace: COMPONENT }, (args) => resolve(build, args).catch(asErrors));
      build.onLoad({ filter: /.*/, namespace: COMPONENT }, ({ path }) => load(path));
    },
  };
}
