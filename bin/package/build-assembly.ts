import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assemblyOf } from '../assembly.ts';
import { readSettings } from '../settings.ts';

/** Synthesises the stack with the default settings into `assembly/`. Each start sets its own (`packed-assembly.ts`). */
export async function buildAssembly(dist: string): Promise<void> {
  const folder = join(dist, 'assembly');
  await assemblyOf(readSettings({}).stage, folder);
  await Promise.all(
    [
      // The record of the assembly has the template.
      'cdk.out',
      // The compiler of this machine.
      'functions/builder/node_modules',
    ].map((path) => rm(join(folder, path), { recursive: true, force: true })),
  );
}
