import { join } from 'node:path';
import { builderPool } from '../../functions/builder/builder-pool.ts';
import { BUNDLE, type BuildSettings } from '../../functions/builder/builder-settings.ts';
import { readBundle } from '../../functions/builder/read-bundle.ts';
import { createHost } from '../../functions/runner/host.ts';
import type { NetworkRule } from '../../shared/domain/network/network-rule.ts';
import type { Processes } from '../../shared/runtime/processes.ts';
import { directProcesses } from '../../shared/runtime/processes.ts';
import type { ComponentBody } from '../tributary/input/local-component.ts';

/** A test reaches servers of its own machine. */
const NETWORK: NetworkRule = { allowPrivate: true, allowList: [], ownPorts: [], openPorts: [] };
const LONGEST_BUILD_MS = 60_000;
const IDLE_MS = 1_000;
const OWNER = 'test';

/** The builder and the runner of the service, as processes of this one. `folder` has their programs. */
export function componentPrograms(folder: string, processes: Processes = directProcesses()) {
  const builder = join(folder, 'builder');
  const { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: except, ...others } = process.env;
  const registry = others['NPM_REGISTRY'] ?? 'https://registry.npmjs.org/';
  const certificates = others['NODE_EXTRA_CA_CERTS'];
  const pool = builderPool({
    processes,
    program: join(builder, 'child.js'),
    programFolder: builder,
    env: certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates },
    network: { allowPrivate: true, allowList: [], exceptions: [] },
    limitMs: LONGEST_BUILD_MS,
    idleMs: IDLE_MS,
  });
  const host = createHost({
    processes,
    script: join(folder, 'runner', 'child.js'),
    warm: 0,
    idleMb: 0,
    env: process.env,
    settings: { hosts: {}, network: NETWORK },
  });
  const shared: Omit<BuildSettings, 'workDirectory' | 'cacheDirectory' | 'installedSetsDirectory'> = {
    registry,
    network: { allowPrivate: true, allowList: [] },
    hosts: {},
    proxy: {
      ...(http === undefined ? {} : { http }),
      ...(https === undefined ? {} : { https }),
      ...(except === undefined ? {} : { except }),
    },
    modules: builder,
  };

  /** Builds a component, and throws an error with the position and the code that a build names. */
  async function build({ component_code: code, component_path: path, component_files: files }: ComponentBody) {
    return pool.build(
      OWNER,
      ({ packages, installedSets, work }) => ({
        settings: {
          ...shared,
          cacheDirectory: packages,
          installedSetsDirectory: installedSets,
          workDirectory: work,
        },
        code,
        path,
        files: Object.entries(files ?? {}),
      }),
      async (response, work) => {
        if (response.kind === 'built')
          return { manifest: response.manifest, bundle: await readBundle(join(work, BUNDLE)) };
        const frames = response.kind === 'failed' ? (response.frames ?? []) : [];
        const message = 'message' in response ? response.message : 'The builder could not be started.';
        throw new Error([message, ...frames.map((frame) => frame.message)].join('\n'));
      },
    );
  }

  return {
    build,
    host,
    close: async () => {
      pool.close();
      await host.close();
    },
  };
}
