import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { functionSpecs } from '../../infra/embedded/lambda/function-spec.ts';
import { interpret } from '../../infra/embedded/template/interpret.ts';
import { Stage } from '../../infra/stage.ts';
import { synthesise } from '../../infra/synthesise.ts';

const ROUNDS = 7;

const Figures = z.object({ loadMs: z.number(), processorMs: z.number() });

/** Loads one bundle in a process of its own, as a cold start does, and says how long that took. */
const program = (file: string) => `
  globalThis.awslambda = { streamifyResponse: (handle) => handle };
  const started = performance.now();
  const before = process.cpuUsage();
  require(${JSON.stringify(file)});
  const { user, system } = process.cpuUsage(before);
  const figures = { loadMs: performance.now() - started, processorMs: (user + system) / 1000 };
  process.stdout.write(JSON.stringify(figures));
  process.exit(0);
`;

/** How long each function's bundle takes to load. The least of several rounds, and the processor's share, since others use this machine too. */
export async function loadTimes(): Promise<Record<string, unknown>[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  try {
    const { template, assets } = await synthesise(Stage.parse({}), directory);
    const stack = interpret(template, { publicUrl: 'http://127.0.0.1:1' });
    return functionSpecs(stack).map(({ assetKey, environment }) => {
      const folder = assets.get(assetKey) ?? '';
      const file = join(folder, 'index.js');
      const env = {
        ...environment,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'key',
        LAMBDA_TASK_ROOT: folder,
        // Its children are no part of its load.
        RUNNER_WARM: '0',
      };
      const rounds = Array.from({ length: ROUNDS }, () => {
        const text = execFileSync(process.execPath, ['--eval', program(file)], { env, stdio: 'pipe' });
        return Figures.parse(JSON.parse(text.toString()));
      });
      return {
        function: basename(folder),
        kilobytes: Math.round(statSync(file).size / 1_000),
        loadMs: Math.round(Math.min(...rounds.map(({ loadMs }) => loadMs))),
        processorMs: Math.round(Math.min(...rounds.map(({ processorMs }) => processorMs))),
      };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
