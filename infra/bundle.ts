import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Function → its entry file. The name is also the folder of its bundle. */
export const functionEntries = {
  components: 'functions/api/components.ts',
  sources: 'functions/api/sources.ts',
  workflows: 'functions/api/workflows.ts',
  subscriptions: 'functions/api/subscriptions.ts',
  webhooks: 'functions/api/webhooks.ts',
  users: 'functions/api/users.ts',
  ingress: 'functions/ingress/index.ts',
  'run-source': 'functions/queue/run-source.ts',
  'deliver-event': 'functions/queue/deliver-event.ts',
  'retry-delivery': 'functions/queue/retry-delivery.ts',
  timers: 'functions/queue/timers.ts',
  builder: 'functions/builder/index.ts',
  runner: 'functions/runner/index.ts',
} as const;

export type FunctionName = keyof typeof functionEntries;

/** Programs that ride along in a function's folder: the processes that the hosts of hostile code start. */
const children = {
  'builder/child': 'functions/builder/child.ts',
  'runner/child': 'functions/runner/child.ts',
} as const;

/** Modules that the builder links into components, as ECMAScript modules. */
const componentModules = {
  'builder/platform': 'shared/component/platform/platform.ts',
  'builder/types': 'shared/component/platform/types.ts',
} as const;

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
  write: true,
};

/** How functions, and the programs beside them, are bundled. */
export const functionsBuild = (outdir: string): BuildOptions => ({
  ...common,
  entryPoints: {
    ...Object.fromEntries(Object.entries(functionEntries).map(([name, entry]) => [`${name}/index`, entry])),
    ...children,
  },
  outdir,
  format: 'cjs',
  mainFields: ['module', 'main'],
  external: ['esbuild', 'node-gyp'],
  plugins: [slim],
});

/** Bundles every function into `<outdir>/<name>/index.js`; the same sources give the same bytes. */
export async function bundleFunctions(outdir: string): Promise<void> {
  await Promise.all([
    build(functionsBuild(outdir)),
    build({
      ...common,
      entryPoints: componentModules,
      outdir,
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      minify: false,
      keepNames: true,
      banner: { js: REQUIRE_BANNER },
    }),
    addCompiler(join(outdir, 'builder')),
  ]);
}

/**
 * Parts of packages that no function needs and that would be most of its bundle: the search for credentials through profiles,
 * instance metadata and sign-on caches (functions find theirs in the environment), and undici beyond its agent, with the HTTP
 * parser for processors without SIMD, of which Node itself supports none any more.
 */
const slim: Plugin = {
  name: 'slim',
  setup({ onResolve }) {
    const instead = (name: string) => ({ path: join(root, 'infra', 'slim', name) });
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => instead('credentials.ts'));
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.includes('builder') ? undefined : instead('undici.ts'),
    );
    onResolve({ filter: /\/llhttp-wasm\.js$/ }, () => instead('no-parser.ts'));
  },
};

/** CommonJS packages inside an ECMAScript module still call `require` for builtins. */
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** esbuild cannot be bundled: its package and the binary of this platform go beside the builder. */
async function addCompiler(folder: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const home = dirname(dirname(require.resolve('esbuild')));
  const platform = `${process.platform}-${process.arch}`;
  const binary = join(dirname(home), '@esbuild', platform);
  const modules = join(folder, 'node_modules');
  await Promise.all([
    cp(join(home, 'package.json'), join(modules, 'esbuild', 'package.json')),
    cp(join(home, 'lib', 'main.js'), join(modules, 'esbuild', 'lib', 'main.js')),
    cp(join(binary, 'package.json'), join(modules, '@esbuild', platform, 'package.json')),
    cp(join(binary, 'bin'), join(modules, '@esbuild', platform, 'bin'), { recursive: true }),
  ]);
}
