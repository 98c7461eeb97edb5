import { join } from 'node:path';
import { machine } from '../../shared/lambda/environment.ts';
import { consoleServices } from '../../shared/lambda/wiring/api-wiring.ts';
import { createConsoleHandler } from './console-handler.ts';
import { readStaticFiles } from './static-files.ts';

const { LAMBDA_TASK_ROOT } = machine();

/** Serves the console, and sends browsers at `/` to it. */
export const handler = createConsoleHandler({
  files: readStaticFiles(join(LAMBDA_TASK_ROOT, 'files')),
  log: consoleServices().log,
});
