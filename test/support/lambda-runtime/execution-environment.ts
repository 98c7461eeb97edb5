import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, describe, onTestFinished } from 'vitest';
import type { FunctionName } from '../../../infra/bundle.ts';
import { findProgram } from '../../../infra/embedded/isolation/sandbox.ts';
import { functionSpecs } from '../../../infra/embedded/lambda/function-spec.ts';
import type { Assembly } from '../../../infra/embedded/open-cloud.ts';
import { interpret } from '../../../infra/embedded/template/interpret.ts';
import { until } from '../until.ts';
import { processTree, signalTree } from './process-tree.ts';
import { type InvokeOptions, RuntimeApi, type RuntimeResponse } from './runtime-api.ts';
import { copyOpen, openFolder, removeRuntime, type RuntimePaths, runtimePaths } from './runtime-paths.ts';
import { TEST_ORIGINS } from '../origins.ts';

/** The user of functions on AWS owns nothing. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const bubblewrap = findProgram('bwrap');

/** Whether this machine can run the binary, and lets an unprivileged user make namespaces. */
const hasLambdaRuntime =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  bubblewrap !== undefined &&
  spawnSync(bubblewrap, ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', 'true'], {
    ...user,
    cwd: '/',
  }).status === 0;

/** A group of tests that start environments. */
export const describeRuntime = (name: string, tests: () => void) =>
  describe.runIf(hasLambdaRuntime)(name, () => {
    afterAll(removeRuntime);
    tests();
  });

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc'].filter((path) => existsSync(path));

export interface EnvironmentOptions {
  assembly: Assembly;
  /** The export that the function calls. */
  handler?: string;
  /** Added to the environment that the template gives the function. */
  env?: Record<string, string>;
}

/** One instance of a function, started by the runtime client. */
export interface ExecutionEnvironment {
  invoke(event: unknown, options?: InvokeOptions): Promise<RuntimeResponse>;
  /** Stops every process of the instance, as AWS does between invocations. */
  freeze(): void;
  thaw(): void;
  /** Processes of the instance, without its outer one. */
  processes(): number[];
  /** Standard output and error. */
  readonly output: string;
  readonly api: RuntimeApi;
}

/**
 * Starts a deployed bundle as AWS does: Node of the template's version, the runtime client, an unprivileged user, and a
 * file system that is read-only except for /tmp. The network is that of this machine.
 */
export async function startEnvironment(
  name: FunctionName,
  { assembly, handler = 'handler', env = {} }: EnvironmentOptions,
): Promise<ExecutionEnvironment> {
  const spec = functionSpecs(interpret(assembly.template, { origins: TEST_ORIGINS })).find(
    (each) => basename(assembly.assets.get(each.assetKey) ?? '') === name && each.handler.name === handler,
  );
  if (!spec) throw new Error(`The template has no function ${name}.`);
  const [runtime, folder] = await Promise.all([runtimePaths(), openFolder()]);
  const task = join(folder, 'task');
  await copyOpen(assembly.assets.get(spec.assetKey) ?? '', task);
  const api = await RuntimeApi.start(spec.name);
  const child = spawn(bubblewrap ?? '', sandboxOf({ ...runtime, task }), {
    ...user,
    cwd: '/',
    env: {
      ...spec.environment,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      ...env,
      ...runtimeVariables(spec, api.address),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.once('error', (error) => api.fail(error));
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      api.fail(new Error(`The environment ended with ${signal ?? code}: ${output}`));
      resolve();
    }),
  );
  onTestFinished(async () => {
    if (child.pid !== undefined) signalTree(child.pid, 'SIGKILL');
    await ended;
    api.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const pid = await pidOf(child);
  return {
    api,
    get output() {
      return output;
    },
    invoke: (event, options) => api.invoke(event, options),
    freeze: () => signalTree(pid, 'SIGSTOP'),
    thaw: () => signalTree(pid, 'SIGCONT'),
    processes: () => processTree(pid).slice(1),
  };
}

/** Resolves when the instance waits for its first invocation. */
export const isInitialised = ({ api }: ExecutionEnvironment): Promise<true> =>
  until('the function waits for an invocation', () => {
    if (api.failure) throw api.failure;
    return api.requests.length > 0;
  });

const sandboxOf = ({ task, runtime, node }: RuntimePaths): string[] => [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
  ...['--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ...SYSTEM.flatMap((path) => ['--ro-bind', path, path]),
  ...['--ro-bind', task, '/var/task', '--ro-bind', runtime, '/var/runtime'],
  ...['--ro-bind', node, '/var/lang/bin/node', '--remount-ro', '/dev', '--remount-ro', '/'],
  ...['--chdir', '/var/task', '--', '/var/lang/bin/node'],
  ...['--require', '/var/runtime/native-client.cjs', '/var/runtime/index.mjs'],
];

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
const runtimeVariables = (
  { name, handler, memoryMb }: { name: string; handler: { module: string; name: string }; memoryMb: number },
  runtimeApi: string,
): Record<string, string> => ({
  _HANDLER: `${handler.module}.${handler.name}`,
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[$LATEST]0',
  AWS_LAMBDA_RUNTIME_API: runtimeApi,
  AWS_REGION: 'us-east-1',
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  LAMBDA_TASK_ROOT: '/var/task',
  LANG: 'en_US.UTF-8',
  PATH: '/var/lang/bin:/usr/local/bin:/usr/bin:/bin',
  TZ: ':UTC',
});

function pidOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    if (child.pid !== undefined) resolve(child.pid);
  });
}
