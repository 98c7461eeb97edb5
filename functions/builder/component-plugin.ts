import { isBuiltin } from 'node:module';
import type { Loader, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { BuildFailure } from './failure.ts';
import type { OwnModules } from './own-modules.ts';
import { withPlace } from './package-places.ts';
import { ownModule, parsePackage, type PackageSpecifier } from './specifier.ts';

/** Where component files live for the compiler: no directory, hence nothing of this machine beside them. */
export const COMPONENT = 'component';
/** The import that stands for the component in the stub around it. */
export const ENTRY = 'component-entry';

export interface SourceFile {
  /** An address, or the plain name of code that came without one; ends as the file does. */
  id: string;
  text: string;
  loader: Loader;
}

/** The files of the component under build. */
export interface SourceFiles {
  entry: SourceFile;
  relative: (specifier: string, importer: string) => Promise<SourceFile>;
  get: (id: string) => SourceFile | undefined;
  /** What was needed so far. */
  all: () => SourceFile[];
  /** How messages call a file. */
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

/** Paths put together at run time: the compiler looks for what may be meant, in folders of this machine. */
const COMPUTED = /\b(?:import|require)\s*\(\s*(?:`\.{1,2}\/[^`]*\$\{|(["'])\.{1,2}\/[^"']*\1\s*\+)/g;

/** Those that would have it climb out of the empty one it starts in, and search long. */
function climbingImports(text: string): { text: string; line: number }[] {
  const climbing = [...text.matchAll(COMPUTED)].filter(([found]) => found.includes('../'));
  return climbing.map(({ index }) => ({
    text: 'computed paths cannot be imported; write the path as a literal',
    line: text.slice(0, index).split('\n').length,
  }));
}

/** Only `json` may be asked for: others would put any file that can be named into the bundle as text. */
export function unsupportedAttribute(attributes: Record<string, string>): string | undefined {
  const found = Object.entries(attributes).find(([key, value]) => key !== 'type' || value !== 'json');
  return found && `the import attribute ${found[0]}: "${found[1]}" is not supported; only type: "json" is`;
}

/**
 * The whitelist of what a component's own files may import: its other files, packages of this build, our modules and builtins of
 * Node. Whatever fits none of these forms is refused, so a form nobody thought of is too.
 */
export function componentPlugin(given: {
  sources: SourceFiles;
  own: OwnModules;
  resolvePackage: ResolvePackage;
}): Plugin {
  const { sources, own, resolvePackage } = given;

  async function resolve(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult> {
    const { path, kind } = args;
    const attribute = unsupportedAttribute(args.with);
    if (attribute) throw new BuildFailure(attribute);
    if (kind === 'require-resolve') return { path, external: true };
    const ours = ownModule(path);
    if (ours) return { path: own.path(ours) };
    if (isBuiltin(path)) return { path, external: true };
    if (/^\.{1,2}(?:\/|$)/.test(path)) {
      const { id } = await sources.relative(path, args.importer);
      return { path: id, namespace: COMPONENT };
    }
    const specifier = parsePackage(path);
    if (specifier) return resolvePackage(build, specifier, args);
    throw new BuildFailure(
      `"${path}" cannot be imported; a component may import files beside it by relative path, npm packages and builtins of Node`,
    );
  }

  async function load(id: string): Promise<OnLoadResult> {
    const file = sources.get(id);
    if (!file) throw new Error(`no file ${id} was fetched`);
    if (file.loader === 'json') return { contents: file.text, loader: 'json' };
    const refused = [...(await own.lacking(file.text)), ...climbingImports(file.text)];
    const errors = refused.map(({ text, line }) => ({
      text,
      location: { file: `${COMPONENT}:${id}`, line, column: 0 },
    }));
    if (errors.length > 0) return { errors };
    return { contents: withPlace(file.text, sources.nameOf(id)) ?? file.text, loader: file.loader };
  }

  return {
    name: 'component',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ENTRY}$`) }, ({ importer, namespace }) =>
        namespace === COMPONENT || importer !== ENTRY
          ? undefined
          : { path: sources.entry.id, namespace: COMPONENT },
      );
      build.onResolve({ filter: /.*/, namespace: COMPONENT }, (args) => resolve(build, args).catch(asErrors));
      build.onLoad({ filter: /.*/, namespace: COMPONENT }, ({ path }) => load(path));
    },
  };
}
