import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { BuildRequest, type BuildResult } from '../../shared/domain/build.ts';
import { builderProcesses } from './builder-process.ts';
import type { BuildSettings } from './settings.ts';

const Environment = z.object({
  /** Where this function's files lie; the runtime sets it. */
  LAMBDA_TASK_ROOT: z.string(),
  NPM_REGISTRY: z.url().default('https://registry.npmjs.org/'),
  ALLOW_PRIVATE_NETWORK: z.enum(['0', '1']).default('0'),
  NETWORK_ALLOW_LIST: z.string().default(''),
  COMPONENT_HOSTS: z
    .string()
    .default('{}')
    .transform((text) => z.record(z.string(), z.url()).parse(JSON.parse(text))),
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
});
const environment = Environment.parse(process.env);

/** This user's of the machine alone: what lies here is believed. */
const directory = join(tmpdir(), `tributary-builder-${userInfo().uid}`);
mkdirSync(directory, { recursive: true, mode: 0o700 });

const root = environment.LAMBDA_TASK_ROOT;
const processes = builderProcesses({
  program: join(root, 'child.js'),
  directory,
  // Read by Node itself at its start; everything else is told, not inherited.
  env: environment.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: environment.NODE_EXTRA_CA_CERTS } : {},
});

function settingsIn(workDirectory: string): BuildSettings {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = environment;
  return {
    registry: environment.NPM_REGISTRY,
    network: {
      allowPrivate: environment.ALLOW_PRIVATE_NETWORK === '1',
      allowList: environment.NETWORK_ALLOW_LIST.split(',')
        .map((block) => block.trim())
        .filter(Boolean),
    },
    hosts: environment.COMPONENT_HOSTS,
    proxy: {
      ...(HTTP_PROXY ? { http: HTTP_PROXY } : {}),
      ...(HTTPS_PROXY ? { https: HTTPS_PROXY } : {}),
      ...(NO_PROXY ? { except: NO_PROXY } : {}),
    },
    platform: { platform: join(root, 'platform.mjs'), types: join(root, 'types.mjs') },
    cacheDirectory: join(directory, 'packages'),
    workDirectory,
  };
}

/** Builds one component and puts the bundle, then its manifest, where the caller said. */
export async function handler(event: unknown): Promise<BuildResult> {
  const { ownerId, code, url, uploads } = BuildRequest.parse(event);
  const job = (workDirectory: string) => ({
    settings: settingsIn(workDirectory),
    ...(code === undefined ? {} : { code }),
    ...(url === undefined ? {} : { url }),
  });
  return processes.build(ownerId, job, async (answer): Promise<BuildResult> => {
    if (answer.kind === 'broken') throw new Error(answer.message);
    if (answer.kind === 'failed') return { ok: false, message: answer.message };
    await put(uploads.bundle, await readFile(answer.path));
    await put(uploads.manifest, JSON.stringify(answer.manifest));
    return { ok: true, manifest: answer.manifest };
  });
}

/** The address carries the permission; it is our own caller's, hence outside the rule for strangers' addresses. */
async function put(address: string, body: string | Buffer): Promise<void> {
  const response = await fetch(address, { method: 'PUT', body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the upload answered ${response.status}`);
}
