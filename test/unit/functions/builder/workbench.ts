import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BuildDone, BuildResult } from '../../../../shared/domain/component/build-result.ts';
import { BuildManifest } from '../../../../shared/domain/component/component.ts';
import type { SentFiles } from '../../../../shared/domain/component/sent-files.ts';
import type { Processes } from '../../../../shared/runtime/processes.ts';
import { builderAsset } from '../../../support/builder/asset.ts';
import { loadFunction, processesIn } from '../../../support/load-function.ts';
import { webSite } from '../../../support/builder/web-site.ts';

const run = promisify(execFile);

/** Code, or its address. */
interface Input {
  code?: string;
  path?: string;
  files?: SentFiles;
  url?: string;
}

interface WorkbenchOptions {
  environment?: Record<string, string>;
  /** Default: processes of this one, with directories in the folder of the workbench. */
  processes?: Processes;
}

/** The builder as deployed, a web place for components and for what is built, and a way to see a bundle work. */
export async function workbench({ environment = {}, ...options }: WorkbenchOptions = {}) {
  const asset = await builderAsset();
  const folder = mkdtempSync(join(tmpdir(), 'workbench-'));
  const processes = options.processes ?? processesIn(folder);
  const site = await webSite();
  const env = {
    ...process.env,
    NPM_REGISTRY: 'https://registry.npmjs.org/',
    ALLOW_PRIVATE_NETWORK: '1',
    NETWORK_ALLOW_LIST: '',
    COMPONENT_HOSTS: '{}',
    ...environment,
  };
  const loaded = loadFunction(asset.root, { environment: env, processes });
  let count = 0;

  async function build(request: Input & { ownerId?: string; earlier?: BuildDone }) {
    count += 1;
    const uploads = {
      attempt: count.toString(16).padStart(32, '0'),
      bundle: `${site.base}/bundle-${count}`,
      manifest: `${site.base}/manifest-${count}`,
    };
    const result = BuildResult.parse(await loaded.handler({ ownerId: 'u_1', ...request, uploads }));
    return {
      result,
      bundle: site.puts.get(`/bundle-${count}`),
      manifest: site.puts.get(`/manifest-${count}`),
    };
  }

  /** Builds, and returns the result as the next build gets it. */
  async function left(request: { url: string; ownerId?: string }): Promise<BuildDone> {
    const { result, manifest } = await build(request);
    expectBuilt(result);
    return BuildDone.parse(JSON.parse(String(manifest)));
  }

  function expectBuilt(result: BuildResult): BuildManifest {
    if (!result.ok) throw new Error(result.message);
    return BuildManifest.parse(result.manifest);
  }

  /** Evaluates an expression over `component` in a process of its own. */
  async function evaluate(bundle: Buffer | undefined, expression: string): Promise<unknown> {
    const file = join(mkdtempSync(join(folder, 'run-')), 'bundle.mjs');
    writeFileSync(file, bundle ?? '');
    const script = `import component from ${JSON.stringify(file)}; process.stdout.write(JSON.stringify((await (async () => (${expression}))()) ?? null))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      env: { TMPDIR: folder },
    });
    return JSON.parse(stdout);
  }

  /** Builds a component and returns the value of an expression over it. */
  async function value(request: Input, expression: string): Promise<unknown> {
    const { result, bundle } = await build(request);
    expectBuilt(result);
    return evaluate(bundle, expression);
  }

  /** The message of a build that must fail. */
  async function failure(request: Input): Promise<string> {
    const { result } = await build(request);
    if (result.ok) throw new Error('the build succeeded');
    return result.message;
  }

  return {
    site,
    build,
    left,
    built: async (request: Input & { ownerId?: string }) => expectBuilt((await build(request)).result),
    value,
    failure,
    folder,
    asset,
    env,
    close: () => {
      loaded.dispose();
      site.close();
      asset.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Workbench = Awaited<ReturnType<typeof workbench>>;
