import { join } from 'node:path';
import { machinePlatform } from '../infra/architecture.ts';
import { bundleFunctions } from '../infra/bundle.ts';
import { buildProgram } from '../infra/embedded/programs.ts';
import { Stage } from '../infra/stage.ts';

/**
 * Bundles and synthesises the stack into a folder, and prints the template and the folders of its assets. Runs in a process of its own, so
 * that the memory of the CDK and the compiler is freed. Ends when its standard input ends.
 */
const [, , directory = '', stage = ''] = process.argv;
process.stdin.on('end', () => process.exit(1)).resume();
const functions = join(directory, 'functions');
const [thread, spawner] = [join(directory, 'thread.cjs'), join(directory, 'spawner.cjs')];
// The compiler runs in another process, while this one loads the CDK.
const [{ synthesiseBundled }] = await Promise.all([
  import('../infra/synthesise.ts'),
  bundleFunctions(functions, machinePlatform()),
  buildProgram('thread', thread),
  buildProgram('spawner', spawner),
]);
const { template, assets } = synthesiseBundled(Stage.parse(JSON.parse(stage)), directory, functions);
process.stdout.write(JSON.stringify({ template, assets: [...assets], thread, spawner }), () =>
  process.exit(0),
);
