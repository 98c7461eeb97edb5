import { resolve } from 'node:path';
import { build, type BuildOptions, type Message, type OutputFile } from 'esbuild';
import * as z from 'zod';
import {
  COMPONENT,
  componentPlugin,
  ENTRY,
  type ResolvePackage,
  type SourceFiles,
} from './component-plugin.ts';
import { BuildFailure, describeErrors, place } from './failure.ts';
import { type NeededAddOn, neededAddOn } from './native-add-ons.ts';
import type { OwnModules } from './own-modules.ts';
import { packageFiles } from './package-places.ts';
import { packagePlugin } from './package-plugin.ts';
import { positionsOf } from './positions.ts';
import type { PackageSpecifier } from './specifier.ts';
import { wrapModule, wrapScript } from './wrap.ts';

export interface InstalledPackages {
  /** The folder that has `node_modules`, links resolved. */
  root: string;
  /** The name under which a package lies there: two versions of one have two. */
  folderOf: (specifier: PackageSpecifier) => string;
}

/** A component and everything it imports. */
export interface Compilation {
  sources: SourceFiles;
  own: OwnModules;
  /** Absent while it is not known which packages there are. */
  installed: InstalledPackages | undefined;
}

/** A package import of the component itself, and where it stands. */
export interface ImportedPackage extends PackageSpecifier {
  place: string;
}

export interface Compiled {
  bundle: string;
  /** Package imports left open; the bundle is complete when there are none. */
  packages: ImportedPackage[];
  /** An add-on that it cannot do without. */
  addOn?: NeededAddOn | undefined;
}

const OpenImport = z.object({ name: z.string(), range: z.string().optional(), subpath: z.string() });
const SourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() });
const CompilerFailure = z.object({ errors: z.array(z.custom<Message>()) });

const AWAIT = /^Top-level await is currently not supported/;
const UNRESOLVED = /^Could not resolve "(.+)"$/;
const UNDEFINED = /^Import "(.+)" will always be undefined because there is no matching export in "(.+)"$/;

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
  // The oldest of the runtimes that components run on.
  target: 'node20',
  keepNames: true,
  legalComments: 'none',
  logLevel: 'silent',
  logLimit: 0,
  sourcemap: 'external',
  sourcesContent: false,
  metafile: true,
  // Set, so that no tsconfig.json beside a package is read.
  tsconfigRaw: '{}',
};

type Format = 'cjs' | 'esm';

export async function compile({ sources, own, installed }: Compilation): Promise<Compiled> {
  const workingDirectory = installed?.root ?? '/';

  const nameOf = (file: string): string => {
    if (file.startsWith(`${COMPONENT}:`)) return sources.nameOf(file.slice(COMPONENT.length + 1));
    return own.nameOf(resolve(workingDirectory, file)) ?? file;
  };

  /** While nothing is installed packages stay open, each told as a warning: those carry the line of the import. */
  const resolvePackage: ResolvePackage = async (esbuild, specifier, { path, kind }) => {
    if (!installed) return { path, external: true, warnings: [{ text: path, detail: specifier }] };
    const wanted = installed.folderOf(specifier) + specifier.subpath;
    const found = await esbuild.resolve(wanted, { kind, resolveDir: installed.root });
    const what = specifier.subpath ? `"${specifier.subpath.slice(1)}"` : 'main file';
    if (found.errors.length > 0)
      return { errors: [{ text: `the package "${specifier.name}" has no ${what}` }] };
    return {
      path: found.path,
      namespace: found.namespace,
      external: found.external,
      sideEffects: found.sideEffects,
    };
  };

  async function pass(format: Format, missing: ReadonlySet<string>) {
    const beside = packageFiles(workingDirectory);
    const plugins = [
      componentPlugin({ sources, own, resolvePackage }),
      packagePlugin({ root: installed?.root, own, missing, onPlaced: beside.want }),
    ];
    // A compiled function has no module to start an `import()` from.
    const supported = { 'dynamic-import': format === 'esm' };
    try {
      const result = await build({ ...options, format, supported, absWorkingDir: workingDirectory, plugins });
      return { result, files: await beside.all() };
    } catch (error) {
      return CompilerFailure.parse(error);
    }
  }

  /** What a package imports and does not find. In the component itself that is an error, in a package it is one for the run that needs it. */
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
    if (lacking.length > 0) throw new BuildFailure(describeErrors(lacking, nameOf));
  }

  /**
   * A script first: CommonJS code counts on sloppy mode. Top-level await is possible in a module only, and such code is strict anyway.
   */
  async function run(format: Format, missing: ReadonlySet<string>): Promise<Compiled> {
    const done = await pass(format, missing);
    if ('errors' in done) {
      if (format === 'cjs' && done.errors.some(({ text }) => AWAIT.test(text))) return run('esm', missing);
      const more = missingOf(done.errors);
      if (more?.some((specifier) => !missing.has(specifier)))
        return run(format, new Set([...missing, ...more]));
      throw new BuildFailure(describeErrors(done.errors.map(ofEntry), nameOf));
    }
    const { result, files } = done;
    refuseUndefined(result.warnings);
    const text = (ending: string) => outputOf(result.outputFiles, ending);
    const positions = positionsOf(SourceMap.parse(JSON.parse(text('.map'))), (source) =>
      source.includes(`${COMPONENT}:`) ? nameOf(source.slice(source.indexOf(`${COMPONENT}:`))) : undefined,
    );
    const wrap = format === 'cjs' ? wrapScript : wrapModule;
    const ownFile = (file: string) =>
      file.startsWith(`${COMPONENT}:`) ? sources.get(file.slice(COMPONENT.length + 1)) : undefined;
    return {
      bundle: wrap(text('.js'), positions, files),
      packages: openImports(result.warnings),
      addOn: result.metafile && (await neededAddOn(result.metafile, workingDirectory, ownFile)),
    };
  }

  function openImports(warnings: readonly Message[]): ImportedPackage[] {
    return warnings.flatMap((warning) => {
      const { success, data } = OpenImport.safeParse(warning.detail);
      return success ? [{ ...data, range: data.range, place: place(warning, nameOf) }] : [];
    });
  }

  return run('cjs', new Set());
}

/** The stub around a component is nobody's file: what is wrong there is wrong with the component's entry. */
function ofEntry(message: Message): Message {
  return message.location?.file === ENTRY ? { ...message, location: null } : message;
}

function outputOf(files: readonly OutputFile[] | undefined, ending: string): string {
  return files?.find(({ path }) => path.endsWith(ending))?.text ?? '';
}
