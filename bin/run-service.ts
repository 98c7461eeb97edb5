import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Cloud } from '../infra/embedded/cloud.ts';
import { openDataDirectory } from '../infra/embedded/disk/data-directory.ts';
import { DataDirectoryUnusable } from '../infra/embedded/disk/disk.ts';
import { AddressUnusable } from '../infra/embedded/http-api/address-unusable.ts';
import { IsolationUnavailable, meaningOf } from '../infra/embedded/isolation/levels.ts';
import { accessOfOthers, createPrivateFiles } from '../infra/embedded/disk/private-files.ts';
import { TemplateError } from '../infra/embedded/template/template-error.ts';
import { PackageUnavailable } from '../infra/packages/fetch-package.ts';
import { pausedTemplate, templateOfEpoch, templateWithoutMetrics } from '../infra/stage-variables.ts';
import { adoptData } from './adoption/adopt-data.ts';
import { plainJson } from './plain-text.ts';
import { addressProblem } from './address-problem.ts';
import { writeClientFile } from './client-file.ts';
import { defaultStorageOf } from '../infra/embedded/disk/default-storage.ts';
import { diskProblem, stopProblem } from './disk-problem.ts';
import { endWithin } from './end-within.ts';
import { nodeAdvice } from './node-advice.ts';
import { readyLine } from './ready-line.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';
import { RELEASE_CHECK_MS, releaseAfterBursts } from './release-heap.ts';
import { outputOf } from './service-output.ts';
import type { AssemblyOf } from './stored-assembly.ts';

/** Time of a stop. Docker kills a container after 10 s. */
const STOP_MS = 9_000;
const CUT_OFF =
  'The stop took too long and was cut off. Nothing that was accepted is lost: the next start goes on with the work.';

const print = outputOf(process.stdout);
const printError = outputOf(process.stderr);

/** Exits with one sentence; code 2 for wrong settings, 1 for other obstacles. */
function refuse(message: string, code: 1 | 2): never {
  printError(`${message}\n`);
  process.exit(code);
}

interface ServiceOptions {
  /** Serves the API; delivers nothing, runs nothing and fires no timer. */
  isPaused: boolean;
}

interface Service {
  cloud: Cloud;
  /** Refuses new work, finishes running work and closes the store. */
  close(): Promise<void>;
  /** The key of the user `admin`, when this start generated it. */
  newKey: string | undefined;
}

/** Starts the service. */
async function open(
  {
    host,
    port,
    ingressPort,
    apiKey,
    publicUrl,
    publicApiUrl,
    trustedProxies,
    sync,
    isolation,
    stage,
    ...settings
  }: Settings,
  { isPaused }: ServiceOptions,
  assemblyOf: AssemblyOf,
): Promise<Service> {
  const dataDir = resolve(settings.dataDir);
  const disk = await openDataDirectory(dataDir, sync);
  await adoptData(disk, dataDir).catch(async (error: unknown) => {
    await disk.close();
    throw error;
  });
  const warning = await accessOfOthers(dataDir);
  if (warning !== undefined) printError(`${warning}\n`);
  // Runs while the rest of the service loads.
  const assembly = assemblyOf(stage, join(dataDir, 'assembly'));
  assembly.catch(() => undefined);
  const [{ startCloud }, { openOperatorSocket }, { checkSignIn, ensureAdmin, renewLocalKey }] = await Promise.all([
    import('../infra/embedded/cloud.ts'),
    import('../infra/embedded/operator/socket.ts'),
    import('./start-admin-user.ts'),
  ]);
  let newKey: string | undefined;
  let localKey = '';
  const cloud = await startCloud({
    dataDir,
    disk,
    host,
    port,
    ingressPort,
    publicUrl,
    publicApiUrl,
    trustedProxies,
    isolation,
    isPaused,
    assembly: async () => {
      const made = await assembly;
      const epoch = randomBytes(6).toString('base64url');
      const template = templateWithoutMetrics(templateOfEpoch(made.template, epoch));
      return { ...made, template: isPaused ? pausedTemplate(template) : template };
    },
    prepare: async ({ dispatch, outputs }) => {
      const tableName = outputs['TableName'] ?? '';
      const { ApiUrl: apiUrl = '', IngressUrl: ingressUrl = '' } = outputs;
      await checkSignIn({ dispatch, tableName }, { publicApiUrl: apiUrl.replace(/\/v1$/, ''), ingressUrl });
      newKey = await ensureAdmin({ dispatch, tableName, apiKey });
      localKey = await renewLocalKey({ dispatch, tableName });
    },
    logs: ({ text }) => {
      printError(`${plainJson(text)}\n`);
    },
  }).catch(async (error: unknown) => {
    // Wait for the files that are being copied.
    await assembly.catch(() => undefined);
    throw error;
  });
  const { dispatch, outputs, operatorEnvironment: environment } = cloud.open;
  const backUp = cloud.services.backups.make;
  const socket = await openOperatorSocket({ dataDir, dispatch, backUp, about: { outputs, environment } });
  const clientFile = await writeClientFile({ dataDir, url: cloud.url, key: localKey });
  return {
    cloud,
    newKey,
    async close() {
      // The store is closed whatever else fails.
      await clientFile.remove().catch(() => undefined);
      await socket.close().catch(() => undefined);
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

async function start(options: ServiceOptions, assemblyOf: AssemblyOf): Promise<void> {
  // The SDK copies in the function bundles print this warning.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  createPrivateFiles();
  const settings = readSettings(process.env, defaultStorageOf);
  const stopped = stopSignal();
  const { cloud, newKey, close } = await open(settings, options, assemblyOf).catch((error: unknown) => {
    if (stopped.aborted) process.exit(0);
    throw error;
  });
  const stop = () =>
    void endWithin(close(), STOP_MS).then(
      (isClosed) => {
        if (!isClosed) printError(`${CUT_OFF}\n`);
        process.exit(0);
      },
      (error: unknown) => refuse(stopProblem(error), 1),
    );
  if (stopped.aborted) {
    // Print the key now: the next start finds the user and does not print it.
    if (newKey !== undefined) print(`Stopped, API key of admin: ${newKey}\n`);
    stop();
    return;
  }
  stopped.addEventListener('abort', stop);
  const { isolation } = cloud.open;
  const { url, ingressUrl } = cloud;
  const { publicUrl } = settings;
  const advice = nodeAdvice(process.versions.node);
  if (advice !== undefined) process.stderr.write(`${advice}\n`);
  print(
    readyLine({
      url,
      ingressUrl,
      publicUrl,
      ...options,
      isolation: isolation && meaningOf[isolation],
      newKey,
      hasGivenKey: settings.apiKey !== undefined,
    }),
  );
  // Load the code of all functions before their first request; requests are served between two loads.
  for (const host of cloud.functions.values()) {
    await setImmediate();
    if (!stopped.aborted) host.warm();
  }
  const release = releaseAfterBursts();
  setInterval(() => void release().catch(() => undefined), RELEASE_CHECK_MS).unref();
}

/** Runs the service, with the variables of the environment, until a signal stops it. It ends the process. */
export async function runService(options: ServiceOptions, assemblyOf: AssemblyOf): Promise<void> {
  await start(options, assemblyOf).catch((error: unknown) => {
    if (error instanceof SettingsError) refuse(error.message, 2);
    const isPlain =
      error instanceof DataDirectoryUnusable ||
      error instanceof TemplateError ||
      error instanceof IsolationUnavailable ||
      error instanceof PackageUnavailable;
    if (error instanceof AddressUnusable) refuse(addressProblem(error), 1);
    if (isPlain) refuse(error.message, 1);
    const problem = diskProblem(error);
    if (problem !== undefined) refuse(`The start failed: ${problem}`, 1);
    throw error;
  });
}
