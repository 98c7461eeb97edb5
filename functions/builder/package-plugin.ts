import { readFile, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { Loader, OnLoadArgs, OnLoadResult, Plugin } from 'esbuild';
import { unsupportedAttribute } from './component-plugin.ts';
import { addOnStub, NATIVE } from './native-add-ons.ts';
import type { OwnModules } from './own-modules.ts';
import { packageOf, requiresByPath, withPlace } from './package-places.ts';
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
 * Keeps what packages import inside this build. The compiler resolves for them, with all that a `package.json` can say; what it found
 * is checked before it is read, by the place where the file really is.
 */
export function packagePlugin(given: {
  /** The folder that has `node_modules`, links resolved; absent when nothing is installed. */
  root: string | undefined;
  own: OwnModules;
  /** Imports of packages that lead nowhere: like in Node, an error only for the run that needs them. */
  missing: ReadonlySet<string>;
  /** Told of each file that knows its own place, and whether it may load other code of its package by path. */
  onPlaced: (file: string, hasCode: boolean) => void;
}): Plugin {
  const { root, own, missing, onPlaced } = given;

  async function load(args: OnLoadArgs): Promise<OnLoadResult | undefined> {
    if (own.nameOf(args.path)) return placedOwn(args.path);
    const attribute = unsupportedAttribute(args.with);
    if (attribute) return { errors: [{ text: attribute }] };
    const real = await realpath(args.path);
    const file = root === undefined ? '' : relative(root, real).split(sep).join('/');
    if (!file.startsWith('node_modules/'))
      return {
        errors: [
          { text: `${args.path} is no file of the component's packages; computed paths cannot be imported` },
        ],
      };
    if (real.endsWith('.node')) return addOn(packageName(file));
    const loader = LOADERS[/\.[cm]?[jt]s$/.exec(real)?.[0] ?? ''];
    if (!loader) return undefined;
    const contents = withPlace(await readFile(real, 'utf8'), file);
    if (contents === undefined) return undefined;
    onPlaced(file, requiresByPath(contents));
    return { contents, loader };
  }

  return {
    name: 'packages',
    setup(build) {
      build.onResolve({ filter: /^@pipedream/, namespace: 'file' }, ({ path }) => {
        const ours = ownModule(path);
        return ours && { path: own.path(ours) };
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

/** Our own module is a bundle too: it loses its place like every other file. */
async function placedOwn(path: string): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  return { contents: withPlace(text, 'platform.mjs') ?? text, loader: 'js' };
}
