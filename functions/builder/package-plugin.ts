import { readFile, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { Loader, OnLoadArgs, OnLoadResult, Plugin } from 'esbuild';
import { unsupportedAttribute } from './component-plugin.ts';
import { addOnStub, NATIVE } from './native-add-ons.ts';
import type { OwnModules } from './own-modules.ts';
import { packageOf, requiresByPath, withFilePaths } from './package-places.ts';
import { ownModule } from './specifier.ts';

/** Packages whose only purpose is to load a native add-on of the package that imports them. */
const ADD_ON_LOADERS =
  /^(?:bindings|node-gyp-build|node-gyp-build-optional-packages|(?:@mapbox\/)?node-pre-gyp|prebuild-install)$/;

const LOADERS: Record<string, Loader> = {
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
};

const packageName = (file: string): string => packageOf(file)?.replace(/^.*node_modules\//, '') ?? file;

/**
 * Restricts imports of packages to this build. The compiler resolves them by the rules of `package.json`; before a file is read, its real
 * path is checked.
 */
export function packagePlugin({
  root,
  own,
  missing,
  onFilePaths,
}: {
  /** Real path of the folder with `node_modules`; undefined when nothing is installed. */
  root: string | undefined;
  own: OwnModules;
  /** Unresolvable imports of packages. As in Node, they fail only when they are executed. */
  missing: ReadonlySet<string>;
  /** Called for each file that uses its own path; `hasCode` says whether it may load other code of its package by path. */
  onFilePaths: (file: string, hasCode: boolean) => void;
}): Plugin {
  async function load(args: OnLoadArgs): Promise<OnLoadResult | undefined> {
    if (own.nameOf(args.path)) return loadOwn(args.path);
    const attribute = unsupportedAttribute(args.with);
    if (attribute) return { errors: [{ text: attribute }] };
    const real = await realpath(args.path);
    const file = root === undefined ? '' : relative(root, real).split(sep).join('/');
    if (!file.startsWith('node_modules/'))
      return {
        errors: [
          { text: `${args.path} is not in the component's packages; computed paths cannot be imported` },
        ],
      };
    if (real.endsWith('.node')) return addOn(packageName(file));
    const loader = LOADERS[/\.[cm]?[jt]s$/.exec(real)?.[0] ?? ''];
    if (!loader) return undefined;
    const contents = withFilePaths(await readFile(real, 'utf8'), file);
    if (contents === undefined) return undefined;
    onFilePaths(file, requiresByPath(contents));
    return { contents, loader };
  }

  return {
    name: 'packages',
    setup(build) {
      build.onResolve({ filter: /^@pipedream/, namespace: 'file' }, ({ path }) => {
        const platformModule = ownModule(path);
        return platformModule && { path: own.path(platformModule) };
      });
      build.onResolve({ filter: ADD_ON_LOADERS, namespace: 'file' }, ({ importer }) => ({
        path: packageName(importer),
        namespace: NATIVE,
      }));
      build.onResolve({ filter: /\.node$/, namespace: 'file' }, ({ importer }) => ({
        path: packageName(importer),
        namespace: NATIVE,
      }));
      for (const specifier of missing) {
        const filter = new RegExp(`^${specifier.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`);
        build.onResolve({ filter, namespace: 'file' }, ({ path }) => ({ path, external: true }));
      }
      build.onLoad({ filter: /.*/, namespace: NATIVE }, ({ path }) => addOn(path));
      build.onLoad({ filter: /.*/, namespace: 'file' }, load);
    },
  };
}

const addOn = (name: string): OnLoadResult => ({ contents: addOnStub(name), loader: 'js' });

/** Loads a platform module, which also gets the path of its original file. */
async function loadOwn(path: string): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  return { contents: withFilePaths(text, 'platform.mjs') ?? text, loader: 'js' };
}
