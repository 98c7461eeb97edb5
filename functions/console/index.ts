import { join } from 'node:path';
import { machine } from '../../shared/lambda/environment.ts';
import { consoleServices } from '../../shared/lambda/wiring/api-wiring.ts';
import type { StaticFile } from '../../shared/http/files/static-file.ts';
import { createConsoleHandler } from './console-handler.ts';
import { readStaticFiles } from './static-files.ts';

const { LAMBDA_TASK_ROOT } = machine();

let guide: ReadonlyMap<string, StaticFile> | undefined;

/** Serves the console and the guide, and sends browsers at `/` to it. */
export const handler = createConsoleHandler({
  files: readStaticFiles(join(LAMBDA_TASK_ROOT, 'files')),
  guide: () => (guide ??= readStaticFiles(join(LAMBDA_TASK_ROOT, 'guide'))),
  log: consoleServices().log,
});
