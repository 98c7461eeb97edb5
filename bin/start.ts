import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Cloud } from '../infra/embedded/cloud.ts';
import { openDataDirectory } from '../infra/embedded/data-directory.ts';
import { DataDirectoryUnusable } from '../infra/embedded/disk.ts';
import { TemplateError } from '../infra/embedded/template/template-error.ts';
import { assemblyOf } from './assembly.ts';
import { readSettings, type Settings, WrongSetting } from './settings.ts';

/** Ends with one sentence: 2 for wrong settings, 1 for what stands in the way. */
function refuse(message: string, code: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

interface Service {
  cloud: Cloud;
  /** Takes nothing new, finishes what runs, closes the store. */
  close(): Promise<void>;
  /** The key of the user `admin`, when this start made it. */
  newKey: string | undefined;
}

/** Starts the service; rejects when `stopped` aborts before the stack is synthesised. */
async function open(
  { host, port, apiKey, publicUrl, sync, stage, ...settings }: Settings,
  stopped: AbortSignal,
): Promise<Service> {
  const dataDir = resolve(settings.dataDir);
  const disk = await openDataDirectory(dataDir, sync);
  // Under way while the rest of the service is loaded.
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
    assembly: () => assembly,
    prepare: async ({ dispatch, outputs }) => {
      newKey = await ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey });
    },
    logs: ({ text }) => process.stderr.write(`${text}\n`),
  }).catch(async (error: unknown) => {
    // The compiler, left alone in the middle of its work, would add pages to our sentence.
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

/** Aborts at the first SIGTERM or SIGINT, which end the process in no other way from here on. */
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
  // The functions' own copies say it.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const settings = readSettings(process.env);
  const stopped = stopSignal();
  const { cloud, newKey, close } = await open(settings, stopped).catch((error: unknown) => {
    if (stopped.aborted) process.exit(0);
    throw error;
  });
  const stop = () => void close().then(() => process.exit(0));
  const key = newKey === undefined ? '' : `, API key of admin: ${newKey}`;
  if (stopped.aborted) {
    // The next start would not print the key: it finds the user.
    if (key !== '') process.stdout.write(`Stopped${key}\n`);
    stop();
    return;
  }
  stopped.addEventListener('abort', stop);
  process.stdout.write(`Ready at ${cloud.url}/v1${key}\n`);
  // The first request of each kind need not wait for the code; between two loads others are answered.
  for (const host of cloud.functions.values()) {
    await setImmediate();
    if (!stopped.aborted) host.warm();
  }
}

start().catch((error: unknown) => {
  if (error instanceof WrongSetting) refuse(error.message, 2);
  const isPlain = error instanceof DataDirectoryUnusable || error instanceof TemplateError;
  if (isPlain || (error instanceof Error && error.name === 'AddressUnusable')) refuse(error.message, 1);
  throw error;
});
