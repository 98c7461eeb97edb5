import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerRequest } from '../../shared/domain/run/run.ts';
import type { Processes } from '../../shared/runtime/processes.ts';
import { Bundles } from './bundles.ts';
import type { ChildSettings } from './child-settings.ts';
import type { SendReport } from './late-reports.ts';
import type { Output } from './output.ts';
import { Pool } from './pool.ts';
import { ResourceMonitor } from './resource-monitor.ts';
import { serveRequest, unreadyLine } from './serve-request.ts';
import { SourceBusy, SourceLimit } from './source-limit.ts';

export interface HostOptions {
  processes: Processes;
  /** Path of `child.js`. */
  script: string;
  /** Largest number of idle children. */
  warm: number;
  /** Memory that all idle children together may keep, in MB. */
  idleMb: number;
  /** This process's environment. Children get only `PASSED_ON` of it. */
  env: NodeJS.ProcessEnv;
  settings: ChildSettings;
  sendReport?: SendReport | undefined;
}

export interface Host {
  run(request: RunnerRequest, output: Output): Promise<void>;
  close(): Promise<void>;
}

/** Certificates and proxies that an operator sets for outgoing connections. */
const PASSED_ON = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
];

/** Runs components in processes of their own, never in this one. */
export function createHost({ processes, script, warm, idleMb, env, settings, sendReport }: HostOptions): Host {
  const directory = processes.directory('runner-');
  const monitor = new ResourceMonitor();
  const pool = new Pool({
    processes,
    script: realpathSync(script),
    directory,
    env: Object.fromEntries(
      PASSED_ON.flatMap((name) => {
        const value = env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    settings,
    sendReport,
    warm,
    idleMb,
    bundles: new Bundles(join(directory, 'bundles')),
  });
  const limit = new SourceLimit();
  processes.onShortage(() => pool.endIdle());
  return {
    run: (request, output) =>
      limit
        .run(request.processKey, () => serveRequest(request, { pool, monitor, output }))
        .catch((error: unknown) => {
          if (!(error instanceof SourceBusy)) throw error;
          output.write(unreadyLine(request.jobs[0], error));
        }),
    close: async () => {
      monitor.close();
      await pool.close();
      processes.remove(directory);
    },
  };
}
