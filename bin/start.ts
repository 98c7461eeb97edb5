import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Cloud } from '../infra/embedded/cloud.ts';
import { openDataDirectory } from '../infra/embedded/data-directory.ts';
import { DataDirectoryUnusable } from '../infra/embedded/disk.ts';
import { IsolationUnavailable, meaningOf } from '../infra/embedded/isolation/levels.ts';
import { accessOfOthers, createPrivateFiles } from '../infra/embedded/private-files.ts';
import { TemplateError } from '../infra/embedded/template/template-error.ts';
import { assemblyOf } from './assembly.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';

/** Exits with one sentence; code 2 for wrong settings, 1 for other obstacles. */
function refuse(message: string, code: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

interface Service {
  cloud: Cloud;
  /** Refuses new work, finishes running work and closes the store. */
  close(): Promise<void>;
  /** The key of the user `admin`, when this start generated it. */
  newKey: string | undefined;
}

/** Starts the service; rejects when `stopped` aborts before the stack is synthesised. */
async function open(
  { host, port, apiKey, publicUrl, sync, isolation, stage, ...settings }: Settings,
  stopped: AbortSignal,
): Promise<Service> {
  const dataDir = resolve(settings.dataDir);
  const disk = await openDataDirectory(dataDir, sync);
  const warning = await accessOfOthers(dataDir);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  // Runs while the rest of the service loads.
  const assembly = assemblyOf(stage, join(dataDir, 'assembly'), stopped);
  assembly.catch(() => undefined);
  const [{ startCloud }, { openOperatorSocket }, { ensureAdmin }] = await Promise.all([
    import('../infra/embedded/cloud.ts'),
    import('../infra/embedded/operator/socket.ts'),
    import('./start-admin-user.ts'),
  ]);
  let newKey: string | undefined;
  const cloud = await startCloud({
    dataDir,
    disk,
    host,
    port,
    publicUrl,
    isolation,
    assembly: () => assembly,
    prepare: async ({ dispatch, outputs }) => {
      newKey = await ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey });
    },
    logs: ({ text }) => process.stderr.write(`${text}\n`),
  }).catch(async (error: unknown) => {
    // Wait for the compiler, which would print errors when its parent ends.
    await assembly.catch(() => undefined);
    throw error;
  });
  const { dispatch, outputs, operatorEnvironment: environment } = cloud.open;
  const socket = await openOperatorSocket({ dataDir, dispatch, about: { outputs, environment } });
  return {
    cloud,
    newKey,
    async close() {
      await socket.close();
      await cloud.stop();
    },
  };
}

/** Aborts at the first SIGTERM or SIGINT, and disables the default action of both. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  return stop.signal;
}

async function start(): Promise<void> {
  // The SDK copies in the function bundles print this warning.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  createPrivateFiles();
  const settings = readSettings(process.env);
  const stopped = stopSignal();
  const { cloud, newKey, close } = await open(settings, stopped).catch((error: unknown) => {
    if (stopped.aborted) process.exit(0);
    throw error;
  });
  const stop = () => void close().then(() => process.exit(0));
  const key = newKey === undefined ? '' : `, API key of admin: ${newKey}`;
  if (stopped.aborted) {
    // Print the key now: the next start finds the user and does not print it.
    if (key !== '') process.stdout.write(`Stopped${key}\n`);
    stop();
    return;
  }
  stopped.addEventListener('abort', stop);
  const { isolation } = cloud.open;
  const meaning = isolation === undefined ? '' : ` (${meaningOf[isolation]})`;
  process.stdout.write(`Ready at ${cloud.url}/v1${meaning}${key}\n`);
  // Load the code of all functions before their first request; requests are served between two loads.
  for (const host of cloud.functions.values()) {
    await setImmediate();
    if (!stopped.aborted) host.warm();
  }
}

start().catch((error: unknown) => {
  if (error instanceof SettingsError) refuse(error.message, 2);
  const isPlain =
    error instanceof DataDirectoryUnusable ||
    error instanceof TemplateError ||
    error instanceof IsolationUnavailable;
  if (isPlain || (error instanceof Error && error.name === 'AddressUnusable')) refuse(error.message, 1);
  throw error;
});
