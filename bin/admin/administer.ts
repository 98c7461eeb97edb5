import { join, resolve } from 'node:path';
import { plainJson, plainLines } from '../plain-text.ts';
import { systemClock } from '../../infra/embedded/clock.ts';
import { DataDirectoryUnusable } from '../../infra/embedded/disk/disk.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { operatorAccess } from '../../infra/embedded/operator/access.ts';
import { createPrivateFiles } from '../../infra/embedded/disk/private-files.ts';
import { PLUGIN, sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import { type Answer, parseCommandLine, UsageError } from './command.ts';
import { commandNamed, executeCommand, usageOf } from './commands.ts';
import { doctor } from './doctor.ts';
import { deadLetterCounts } from './dead-letter-commands.ts';
import type { DeadLetterCounts } from './doctor-machine.ts';
import { namesFrom, outputsOfStack } from './names.ts';
import { operatorOf } from './operator.ts';
import { readSettings, SettingsError } from '../settings.ts';
import type { AssemblyOf } from '../stored-assembly.ts';

type Use = (outputs: unknown) => Promise<void>;

/** Uses the running service's socket, or opens the data directory when no service runs. */
async function onThisMachine(assemblyOf: AssemblyOf, use: Use): Promise<void> {
  const { sync, publicUrl, host, port, ingressPort, stage, ...settings } = readSettings(process.env);
  const dataDir = resolve(settings.dataDir);
  const access = await operatorAccess({
    dataDir,
    sync,
    clock: systemClock,
    origins: { api: `http://${host}:${port}`, ingress: publicUrl ?? `http://${host}:${ingressPort}` },
    assembly: () => assemblyOf(stage, join(dataDir, 'assembly')),
  });
  try {
    Object.assign(process.env, access.environment);
    Reflect.set(process, PLUGIN, sdkPlugin({ dispatch: access.dispatch, role: OPERATOR }));
    await use(access.outputs);
  } finally {
    await access.close();
  }
}

async function onAws(stackName: string, use: Use): Promise<void> {
  await use(await outputsOfStack(stackName));
}

/** Undefined when no service has used the data directory. */
async function countDeadLetters(assemblyOf: AssemblyOf): Promise<DeadLetterCounts | undefined> {
  let counts: DeadLetterCounts | undefined;
  try {
    await onThisMachine(assemblyOf, async (outputs) => {
      counts = await deadLetterCounts(operatorOf(namesFrom(outputs)));
    });
  } catch (error) {
    if (!(error instanceof DataDirectoryUnusable)) throw error;
  }
  return counts;
}

interface AdministerOptions {
  assemblyOf: AssemblyOf;
  /** The words before the command, as the usage shows them. */
  program: string;
}

async function execute(argv: readonly string[], { assemblyOf, program }: AdministerOptions): Promise<void> {
  if (argv.includes('--help')) {
    process.stdout.write(`${usageOf(program)}\n`);
    return;
  }
  // The SDK's warning about future Node versions would look like an error on standard error.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  createPrivateFiles();
  const { name, options, json, stack } = parseCommandLine(argv);
  const print = (answer: Answer) => {
    process.stdout.write(`${json ? plainJson(JSON.stringify(answer.json)) : plainLines(answer.text)}\n`);
    if (answer.isFailed === true) process.exitCode = 1;
  };
  if (name === 'doctor') {
    const settings = () => readSettings(process.env);
    print(await doctor.run({ options, stack, settings, deadLetters: () => countDeadLetters(assemblyOf) }));
    return;
  }
  commandNamed(name).check(options);
  const use: Use = async (outputs) => {
    print(await executeCommand(operatorOf(namesFrom(outputs)), name, options));
  };
  await (stack === undefined ? onThisMachine(assemblyOf, use) : onAws(stack, use));
}

/** Executes an operator's command, and ends the process. */
export async function administer(argv: readonly string[], options: AdministerOptions): Promise<never> {
  try {
    await execute(argv, options);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${plainLines(error.message)}.\n\n${usageOf(options.program)}\n`);
      process.exit(2);
    }
    process.stderr.write(`${plainLines(error instanceof Error ? error.message : String(error))}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  }
  process.exit();
}
