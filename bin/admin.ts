import { join, resolve } from 'node:path';
import { systemClock } from '../infra/embedded/clock.ts';
import { OPERATOR } from '../infra/embedded/iam/authorizer.ts';
import { operatorAccess } from '../infra/embedded/operator/access.ts';
import { createPrivateFiles } from '../infra/embedded/private-files.ts';
import { PLUGIN, sdkPlugin } from '../infra/embedded/sdk-plugin.ts';
import { assemblyOf } from './assembly.ts';
import { type Answer, parseCommandLine, UsageError } from './admin/command.ts';
import { commandNamed, executeCommand, usage } from './admin/commands.ts';
import { checkDoctor, diagnose } from './admin/doctor.ts';
import { namesFrom, outputsOfStack } from './admin/names.ts';
import { operatorOf } from './admin/operator.ts';
import { readSettings, SettingsError } from './settings.ts';

type Use = (outputs: unknown) => Promise<void>;

/** Uses the running service's socket, or opens the data directory when no service runs. */
async function onThisMachine(use: Use): Promise<void> {
  const { sync, publicUrl, host, port, stage, ...settings } = readSettings(process.env);
  const dataDir = resolve(settings.dataDir);
  const access = await operatorAccess({
    dataDir,
    sync,
    clock: systemClock,
    publicUrl: publicUrl ?? `http://${host}:${port}`,
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

async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  // The SDK's warning about future Node versions would look like an error on standard error.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  createPrivateFiles();
  const { name, options, json, stack } = parseCommandLine(argv);
  const print = (answer: Answer) => {
    process.stdout.write(json ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`);
  };
  if (name === 'doctor') {
    checkDoctor(options, stack);
    print(await diagnose(readSettings(process.env)));
    return;
  }
  commandNamed(name).check(options);
  const use: Use = async (outputs) => {
    print(await executeCommand(operatorOf(namesFrom(outputs)), name, options));
  };
  await (stack === undefined ? onThisMachine(use) : onAws(stack, use));
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}.\n\n${usage}\n`);
      process.exit(2);
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  },
);
