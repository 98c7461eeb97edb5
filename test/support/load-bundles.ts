import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { functionSpecs } from '../../infra/embedded/lambda/function-spec.ts';
import { interpret } from '../../infra/embedded/template/interpret.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { TEST_ORIGINS } from './origins.ts';

const Measurements = z.object({ loadMs: z.number(), processorMs: z.number(), clients: z.number() });

/**
 * Loads one bundle in a process of its own, as a cold start does. Prints the load time and the number of SDK clients,
 * or the error.
 */
const program = (file: string) => `
  globalThis.awslambda = { streamifyResponse: (handle) => handle };
  let clients = 0;
  process[Symbol.for('tributary.aws.plugin')] = { applyToStack: () => void clients++ };
  const started = performance.now();
  const before = process.cpuUsage();
  let error;
  try {
    require(${JSON.stringify(file)});
  } catch ({ message }) {
    error = message;
  }
  const { user, system } = process.cpuUsage(before);
  const measurements = { loadMs: performance.now() - started, processorMs: (user + system) / 1000, clients, error };
  process.stdout.write(JSON.stringify(measurements));
  process.exit(0);
`;

export interface LoadedBundle extends z.infer<typeof Measurements> {
  name: string;
  file: string;
}

/**
 * Loads each function's bundle once, with the environment that the template gives it; throws where one does not load.
 */
export function loadBundles({ template, assets }: Assembly): LoadedBundle[] {
  return functionSpecs(interpret(template, { origins: TEST_ORIGINS })).map(({ assetKey, environment }) => {
    const folder = assets.get(assetKey) ?? '';
    const file = join(folder, 'index.js');
    const env = {
      ...environment,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      LAMBDA_TASK_ROOT: folder,
    };
    const text = execFileSync(process.execPath, ['--eval', program(file)], {
      env,
      stdio: 'pipe',
    }).toString();
    const { error, ...measurements } = Measurements.extend({ error: z.string().optional() }).parse(JSON.parse(text));
    const name = basename(folder);
    if (error !== undefined) throw new Error(`The bundle of ${name} does not load: ${error}`);
    return { name, file, ...measurements };
  });
}
