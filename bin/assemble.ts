import { join } from 'node:path';
import { bundleFunctions } from '../infra/bundle.ts';
import { buildThread } from '../infra/embedded/lambda/thread-program.ts';
import { Stage } from '../infra/stage.ts';

/**
 * Bundles and synthesises the stack into a folder, and prints the template and the folders of its assets. Runs in a process of its own, so
 * that the memory of the CDK and the compiler is freed. Ends when its standard input ends.
 */
const [, , directory = '', stage = ''] = process.argv;
process.stdin.on('end', () => process.exit(1)).resume();
const functions = join(directory, 'functions');
const thread = join(directory, 'thread.cjs');
// The compiler runs in another process, while this one loads the CDK.
const [{ synthesiseBundled }] = await Promise.all([
  import('../infra/synthesise.ts'),
  bundleFunctions(functions),
  buildThread(thread),
]);
const { template, assets } = synthesiseBundled(Stage.parse(JSON.parse(stage)), directory, functions);
process.stdout.write(JSON.stringify({ template, assets: [...assets], thread }), () => process.exit(0));
