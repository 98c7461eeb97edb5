import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Code, type Handler } from '../../infra/embedded/lambda/code.ts';
import { privateConsole, privateProcess } from '../../infra/embedded/lambda/private-process.ts';
import { directProcesses, PROCESSES, type Processes } from '../../shared/runtime/processes.ts';

interface LoadOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** The processes that the function starts. */
  processes: Processes;
}

const nothing = (): void => undefined;

/** The handler of a bundle, with an environment and a `process` of its own, as the embedded Lambda loads it. */
export function loadFunction(folder: string, { environment, processes }: LoadOptions) {
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const process = privateProcess({
    environment: { LAMBDA_TASK_ROOT: folder, ...Object.fromEntries(variables) },
    extras: { [PROCESSES]: processes },
    log: nothing,
  });
  const code = new Code({ handler: { module: 'index', name: 'handler' } }, folder);
  const handler: Handler = code.load({ process, console: privateConsole(nothing), Date });
  return { handler, dispose: () => void process.emit('SIGTERM', 'SIGTERM') };
}

/** Processes of this one, whose directories are in a folder. */
export const processesIn = (folder: string): Processes => ({
  ...directProcesses(),
  directory: (prefix) => realpathSync(mkdtempSync(join(folder, prefix))),
});
