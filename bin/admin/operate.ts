import { join, resolve } from 'node:path';
import { systemClock } from '../../infra/embedded/clock.ts';
import { browserOrigin } from '../../infra/embedded/http-api/browser-origin.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { operatorAccess } from '../../infra/embedded/operator/access.ts';
import { createPrivateFiles } from '../../infra/embedded/disk/private-files.ts';
import { PLUGIN, sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import { defaultStorageOf } from '../../infra/embedded/disk/default-storage.ts';
import { readSettings } from '../settings.ts';
import type { AssemblyOf } from '../stored-assembly.ts';
import { auditOnMachine, auditOnStack } from './audit/write-audit.ts';
import { namesFrom, outputsOfStack } from './names.ts';
import { type Operate, operatorOf } from './operator.ts';

/**
 * Works on a stack on AWS; else through the running service's socket, or on the data directory when no service runs.
 */
export const operateWith =
  (loadAssemblyOf: () => Promise<AssemblyOf>): Operate =>
  async (stack, use, action) => {
    if (stack !== undefined) {
      const names = namesFrom(await outputsOfStack(stack));
      if (action) await auditOnStack(names.auditLogGroup, action);
      return use(operatorOf(names));
    }
    createPrivateFiles();
    const { sync, publicUrl, publicApiUrl, host, port, ingressPort, stage, ...settings } = readSettings(
      process.env,
      defaultStorageOf,
    );
    const dataDir = resolve(settings.dataDir);
    const access = await operatorAccess({
      dataDir,
      sync,
      clock: systemClock,
      origins: {
        api: publicApiUrl ?? browserOrigin(`http://${host}:${port}`),
        ingress: publicUrl ?? `http://${host}:${ingressPort}`,
      },
      assembly: async () => (await loadAssemblyOf())(stage, join(dataDir, 'assembly')),
    });
    try {
      if (action) await auditOnMachine(dataDir, action);
      Object.assign(process.env, access.environment);
      Reflect.set(process, PLUGIN, sdkPlugin({ dispatch: access.dispatch, role: OPERATOR }));
      return await use(operatorOf(namesFrom(access.outputs), access));
    } finally {
      await access.close();
    }
  };
