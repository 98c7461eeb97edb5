import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnerRequest } from '../../shared/domain/run.ts';
import { Bundles } from './bundles.ts';
import type { Output } from './output.ts';
import { Pool } from './pool.ts';
import { ProcessReaper } from './process-reaper.ts';
import { ResourceMonitor } from './resource-monitor.ts';
import { serveRequest } from './serve-request.ts';

export interface HostOptions {
  /** Path of `child.js`. */
  script: string;
  /** Largest number of idle children. */
  warm: number;
  /** This process's environment. Children get only `PASSED_ON` of it. */
  env: NodeJS.ProcessEnv;
  /** JSON: host → `host:port` that components connect to instead. */
  hosts?: string;
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
export function createHost({ script, warm, env, hosts = '{}' }: HostOptions): Host {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')));
  const reaper = new ProcessReaper(directory);
  const monitor = new ResourceMonitor();
  const pool = new Pool({
    script: realpathSync(script),
    directory,
    env: Object.fromEntries(
      PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    runtimeApi: env['AWS_LAMBDA_RUNTIME_API'],
    hosts,
    warm,
    bundles: new Bundles(join(directory, 'bundles')),
    reaper,
  });
  return {
    run: (request, output) => serveRequest(request, { pool, monitor, output }),
    close: async () => {
      monitor.close();
      await pool.close();
      await reaper.close();
    },
  };
}
