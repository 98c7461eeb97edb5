import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import type { Platform } from './architecture.ts';
import { addCompiler } from './compiler.ts';
import { buildConsoleApp } from './console-app.ts';
import { assertions } from './slim/assertions.ts';
import { later } from './slim/later.ts';
import { slim } from './slim/plugin.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Function → its entry file. The name is also the folder of its bundle. */
export const functionEntries = {
  components: 'functions/api/components.ts',
  sources: 'functions/api/sources.ts',
  workflows: 'functions/api/workflows.ts',
  subscriptions: 'functions/api/subscriptions.ts',
  webhooks: 'functions/api/webhooks.ts',
  accounts: 'functions/api/accounts.ts',
  users: 'functions/api/users.ts',
  console: 'functions/console/index.ts',
  live: 'functions/live.ts',
  ingress: 'functions/ingress.ts',
  'run-source': 'functions/queue/run-source.ts',
  'deliver-event': 'functions/queue/deliver-event.ts',
  'retry-delivery': 'functions/queue/retry-delivery.ts',
  jobs: 'functions/queue/jobs.ts',
  oauth: 'functions/oauth.ts',
  builder: 'functions/builder/index.ts',
  runner: 'functions/runner/index.ts',
} as const;

export type FunctionName = keyof typeof functionEntries;

/** Programs in a function's folder that its host starts as child processes for untrusted code. */
const children = {
  'builder/child': 'functions/builder/child.ts',
  'runner/child': 'functions/runner/child/child.ts',
} as const;

/**
 * Modules that a child program imports at their first use, or whose text it puts before components, as files beside it.
 */
const loadedByChildren = {
  'builder/arborist': 'functions/builder/packages/arborist.ts',
  'builder/prelude': 'functions/builder/prelude/prelude.ts',
};

/**
 * Modules that a function imports at their first use, as files beside its bundle: most of its starts do without them.
 */
const loadedLater = {
  'webhooks/deliver-http': 'shared/aws/deliver-http.ts',
  'users/docs': 'shared/http/docs/docs.ts',
  ...Object.fromEntries(
    ['components', 'sources', 'workflows', 'webhooks', 'live', 'ingress', 'deliver-event', 'retry-delivery'].map(
      (name) => [`${name}/open-bucket`, 'shared/aws/open-bucket.ts'],
    ),
  ),
};

/** Modules that the builder links into components, as ECMAScript modules. */
const componentModules = {
  'builder/platform': 'shared/runtime/platform/platform.ts',
  'builder/types': 'shared/runtime/platform/types.ts',
} as const;

/** Entry file of each bundle, by the name of the bundle. */
export const bundledPrograms = {
  ...functionEntries,
  ...children,
  ...loadedByChildren,
  ...loadedLater,
  ...componentModules,
};

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

const programs: BuildOptions = { ...common, format: 'cjs', mainFields: ['module', 'main'] };

const named = (entries: Partial<Record<FunctionName, string>>) =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [`${name}/index`, entry]));

const { runner, ...slimmed } = functionEntries;

/**
 * The builds of functions and child programs. The runner does not use the SDK, and the builder uses more of undici, so
 * both are not slimmed.
 */
export const functionsBuilds = (outdir: string): BuildOptions[] => [
  {
    ...programs,
    outdir,
    entryPoints: { ...named(slimmed), ...loadedLater },
    // A bundle that the embedded service compiled before cannot import any more; it can require.
    supported: { 'dynamic-import': false },
    plugins: [assertions, slim, later],
  },
  {
    ...programs,
    outdir,
    entryPoints: { ...named({ runner }), ...children, ...loadedByChildren },
    external: ['esbuild', 'node-gyp'],
    plugins: [assertions, later],
  },
];

/** The build of the modules that the builder links into components. */
export const modulesBuild = (outdir: string): BuildOptions => ({
  ...common,
  entryPoints: componentModules,
  outdir,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  minify: false,
  keepNames: true,
  banner: { js: REQUIRE_BANNER },
});

/** Bundles every function for a platform into `<outdir>/<name>/index.js`; the same sources give the same bytes. */
export async function bundleFunctions(outdir: string, platform: Platform): Promise<void> {
  await Promise.all([
    ...[...functionsBuilds(outdir), modulesBuild(outdir)].map((options) => build(options)),
    addCompiler(join(outdir, 'builder'), { platform }),
    buildConsoleApp(join(outdir, 'console')),
    writeCommonJsPackage(outdir),
  ]);
}

/**
 * Marks the bundles as CommonJS. On AWS no `package.json` is above a function; here this checkout's would make the
 * programs modules.
 */
async function writeCommonJsPackage(outdir: string): Promise<void> {
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
}

/** CommonJS packages inside an ECMAScript module still call `require` for builtins. */
export const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";
