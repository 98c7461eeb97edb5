import { join, resolve } from 'node:path';
import { startCloud } from '../infra/embedded/cloud.ts';
import { DataDirectoryInUse } from '../infra/embedded/disk.ts';
import { AddressInUse } from '../infra/embedded/http-api/gateway.ts';
import { openOperatorSocket } from '../infra/embedded/operator/socket.ts';
import { TemplateError } from '../infra/embedded/template/template-error.ts';
import { readSettings, WrongSetting } from './settings.ts';
import { ensureAdmin } from './start-admin-user.ts';

/** Ends with one sentence: 2 for wrong settings, 1 for what stands in the way. */
function refuse(message: string, code: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

async function start(): Promise<void> {
  const { host, port, apiKey, publicUrl, sync, stage, ...settings } = readSettings(process.env);
  const dataDir = resolve(settings.dataDir);
  const cloud = await startCloud({
    dataDir,
    host,
    port,
    sync,
    publicUrl,
    async assembly() {
      // CI validates templates with every check on; here it would double the time to start.
      process.env['CDK_VALIDATION'] = 'false';
      const { synthesise } = await import('../infra/synthesise.ts');
      return synthesise(stage, join(dataDir, 'assembly'));
    },
    logs: ({ text }) => process.stderr.write(`${text}\n`),
  });
  const { dispatch, outputs, operatorEnvironment: environment } = cloud.open;
  const socket = await openOperatorSocket({ dataDir, dispatch, about: { outputs, environment } });
  const newKey = await ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey });
  process.stdout.write(
    `Ready at ${cloud.url}/v1${newKey === undefined ? '' : `, API key of admin: ${newKey}`}\n`,
  );

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
}

start().catch((error: unknown) => {
  if (error instanceof WrongSetting) refuse(error.message, 2);
  if (error instanceof DataDirectoryInUse || error instanceof AddressInUse || error instanceof TemplateError)
    refuse(error.message, 1);
  throw error;
});
