import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { machinePlatform } from '../infra/architecture.ts';
import { bundleFunctions } from '../infra/bundle.ts';
import { buildProgram } from '../infra/embedded/programs.ts';
import { readSettings } from './settings.ts';
import { storeAssembly } from './stored-assembly.ts';

/**
 * Bundles and synthesises the stack with the default settings into a folder. Runs in a process of its own, so that the
 * memory of the CDK and the compiler is freed. Ends when its standard input ends.
 */
const [, , directory = '', key = ''] = process.argv;
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
const { template, assets } = synthesiseBundled(readSettings({}).stage, directory, functions);
await Promise.all(
  [
    // The record of the assembly has the template.
    'cdk.out',
    // Each start adds the compiler of its machine.
    'functions/builder/node_modules',
  ].map((path) => rm(join(directory, path), { recursive: true, force: true })),
);
await storeAssembly(directory, key, { template, assets, thread, spawner });
process.exit(0);
