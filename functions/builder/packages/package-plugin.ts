import { readFile, realpath } from 'node:fs/promises';
import { extname, relative, sep } from 'node:path';
import type { Loader, OnLoadArgs, OnLoadResult, Plugin } from 'esbuild';
import { unsupportedAttribute } from '../component-plugin.ts';
import { addOnStub, NATIVE } from './native-add-ons.ts';
import type { OwnModules } from '../own-modules.ts';
import { packageOf, requiresByPath, withFilePaths } from './package-paths.ts';
import { withoutSourceMap } from '../source-map-comments.ts';
import { ownModule } from '../specifier.ts';

/** Packages whose only purpose is to load a native add-on of the package that imports them. */
const ADD_ON_LOADERS =
  /^(?:bindings|node-gyp-build|node-gyp-build-optional-packages|(?:@mapbox\/)?node-pre-gyp|prebuild-install)$/;

const LOADERS: Record<string, Loader> = {
  '': 'js',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
};

/** Names no path, because a computed path may match any file of this machine. */
export const OUTSIDE = "computed paths cannot be imported, and neither can files outside of the component's packages";

/**
 * A package above the folder of this build is not installed for it. As in Node, its import fails only when it is
 * executed.
 */
const NOT_INSTALLED: OnLoadResult = {
  contents: `throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' })`,
  loader: 'js',
};

const packageName = (file: string): string => packageOf(file)?.replace(/^.*node_modules\//, '') ?? file;

/**
 * Restricts imports of packages to this build. The compiler resolves them by the rules of `package.json`; before a file
 * is read, its real path is checked.
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
  /**
   * Called for each file that uses its own path; `hasCode` says whether it may load other code of its package by path.
   */
  onFilePaths: (file: string, hasCode: boolean) => void;
}): Plugin {
  async function load(args: OnLoadArgs): Promise<OnLoadResult | undefined> {
    if (own.nameOf(args.path)) return loadOwn(args.path);
    const attribute = unsupportedAttribute(args.with);
    if (attribute) return { errors: [{ text: attribute }] };
    const real = await realpath(args.path).catch(() => '');
    const file = root === undefined ? '' : relative(root, real).split(sep).join('/');
    if (!file.startsWith('node_modules/'))
      return real.includes('/node_modules/') ? NOT_INSTALLED : { errors: [{ text: OUTSIDE }] };
    if (real.endsWith('.node')) return addOn(packageName(file));
    if (real.endsWith('.css')) return emptyStyles(real);
    const loader = LOADERS[extname(real)];
    if (!loader || args.with['type'] === 'json') return undefined;
    return loadScript(real, { file, loader });
  }

  /** Undefined when the compiler can read the file itself, which is faster. */
  async function loadScript(
    path: string,
    { file, loader }: { file: string; loader: Loader },
  ): Promise<OnLoadResult | undefined> {
    const text = await readFile(path, 'utf8');
    const located = withFilePaths(text, file);
    if (located !== undefined) onFilePaths(file, requiresByPath(located));
    const contents = withoutSourceMap(located ?? text);
    return contents === text ? undefined : { contents, loader };
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
      build.onLoad({ filter: /.*/, namespace: 'dataurl' }, loadDataUrl);
    },
  };
}

/** The compiler puts styles into a file of their own, which a component does not have. */
const emptyStyles = (path: string): OnLoadResult => ({
  contents: '',
  loader: path.endsWith('.module.css') ? 'local-css' : 'css',
});

/** The content of a `data:` URL of one of the types that the compiler bundles: JavaScript, JSON and CSS. */
async function loadDataUrl(args: OnLoadArgs): Promise<OnLoadResult> {
  const attribute = unsupportedAttribute(args.with);
  if (attribute) return { errors: [{ text: attribute }] };
  const response = await fetch(args.path);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/css')) return emptyStyles('.css');
  const contents = await response.text();
  if (type.startsWith('application/json') || args.with['type'] === 'json') return { contents, loader: 'json' };
  return { contents: withoutSourceMap(contents), loader: 'js' };
}

const addOn = (name: string): OnLoadResult => ({ contents: addOnStub(name), loader: 'js' });

/** Loads a platform module, which also gets the path of its original file. */
async function loadOwn(path: string): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  return { contents: withoutSourceMap(withFilePaths(text, 'platform.mjs') ?? text), loader: 'js' };
}
