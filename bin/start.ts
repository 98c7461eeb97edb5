import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openDataDirectory } from '../infra/embedded/data-directory.ts';
import { DataDirectoryUnusable } from '../infra/embedded/disk.ts';
import { TemplateError } from '../infra/embedded/template/template-error.ts';
import { assemblyOf } from './assembly.ts';
import { readSettings, WrongSetting } from './settings.ts';

/** Ends with one sentence: 2 for wrong settings, 1 for what stands in the way. */
function refuse(message: string, code: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

async function start(): Promise<void> {
  // The functions' own copies say it.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { host, port, apiKey, publicUrl, sync, stage, ...settings } = readSettings(process.env);
  const dataDir = resolve(settings.dataDir);
  const disk = await openDataDirectory(dataDir, sync);
  // Under way while the rest of the service is loaded.
  const assembly = assemblyOf(stage, join(dataDir, 'assembly'));
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

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void socket
      .close()
      .then(() => cloud.stop())
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const key = newKey === undefined ? '' : `, API key of admin: ${newKey}`;
  process.stdout.write(`Ready at ${cloud.url}/v1${key}\n`);
  // The first request of each kind need not wait for the code; between two loads others are answered.
  for (const host of cloud.functions.values()) {
    await setImmediate();
    if (!stopping) host.warm();
  }
}

start().catch((error: unknown) => {
  if (error instanceof WrongSetting) refuse(error.message, 2);
  const isPlain = error instanceof DataDirectoryUnusable || error instanceof TemplateError;
  if (isPlain || (error instanceof Error && error.name === 'AddressUnusable')) refuse(error.message, 1);
  throw error;
});
