import { join } from 'node:path';
import { bundleFunctions } from '../infra/bundle.ts';
import { buildThread } from '../infra/embedded/lambda/thread-program.ts';
import { Stage } from '../infra/stage.ts';

/**
 * Bundles and synthesises the stack into a folder, and prints the template and the folders of its assets. A process of its own: what
 * the CDK and the compiler keep in memory goes with it, instead of staying with a service for months. It ends when its input does.
 */
const [, , directory = '', stage = ''] = process.argv;
process.stdin.on('end', () => process.exit(1)).resume();
const functions = join(directory, 'functions');
const thread = join(directory, 'thread.cjs');
// The compiler is yet another process: it works while this one loads the CDK.
const [{ synthesiseBundled }] = await Promise.all([
  import('../infra/synthesise.ts'),
  bundleFunctions(functions),
  buildThread(thread),
]);
const { template, assets } = synthesiseBundled(Stage.parse(JSON.parse(stage)), directory, functions);
process.stdout.write(JSON.stringify({ template, assets: [...assets], thread }), () => process.exit(0));
