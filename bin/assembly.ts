import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { madeOnce } from '../infra/packages/made-once.ts';
import { keepUsed } from './keep-used.ts';
import { readSettings } from './settings.ts';
import { root, sourceKey } from './source-key.mjs';

/** Folder of the assembly of this checkout with the default settings. It is made once for each state of the sources. */
export async function checkoutAssembly(): Promise<string> {
  const inputs = [sourceKey(['docs', 'functions', 'infra', 'shared']), readSettings({}).stage];
  const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 32);
  const folder = join(root, '.build', 'assembly', key);
  await madeOnce(folder, (unfinished) => assemble(unfinished, key));
  await keepUsed(folder);
  return folder;
}

/** Runs `assemble.ts` in a process of its own, which ends at the latest with this one. */
async function assemble(folder: string, key: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', join('bin', 'assemble.ts'), folder, key], {
    cwd: root,
    // CI validates templates; here validation would double the time. The compiler is a short Go process that needs no
    // garbage collection below this memory limit.
    env: { ...process.env, CDK_VALIDATION: 'false', GOGC: 'off', GOMEMLIMIT: '512MiB' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('The stack could not be synthesised.');
  // Another user may run this checkout.
  await chmod(folder, 0o755);
}
