import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnerRequest } from '../../shared/domain/run.ts';
import { Bundles } from './bundles.ts';
import { Guardian } from './guardian.ts';
import type { Output } from './output.ts';
import { Pool } from './pool.ts';
import { serveRequest } from './session.ts';
import { Watch } from './watch.ts';

export interface HostOptions {
  /** Path of `child.js`. */
  script: string;
  /** Idle children kept at most. */
  warm: number;
  /** This process's environment, of which children get next to nothing. */
  env: NodeJS.ProcessEnv;
  /** JSON: host → `host:port` that components reach in its place. */
  hosts?: string;
}

export interface Host {
  run(request: RunnerRequest, output: Output): Promise<void>;
  close(): Promise<void>;
}

/** What reaching other hosts may need: an operator's certificates and proxies. Everything else stays here. */
const PASSED_ON = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
];

/** Runs components in processes of their own, never in this one. */
export function createHost({ script, warm, env, hosts = '{}' }: HostOptions): Host {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')));
  const guardian = new Guardian(directory);
  const watch = new Watch();
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
    guardian,
  });
  return {
    run: (request, output) => serveRequest(request, { pool, watch, output }),
    close: async () => {
      watch.close();
      await pool.close();
      await guardian.close();
    },
  };
}
