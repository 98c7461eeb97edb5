import { chmod, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { madeOnce } from '../infra/packages/made-once.ts';
import { checkoutAssembly } from './assembly.ts';
import { keepUsed } from './keep-used.ts';
import { buildCommand } from './package/build-command.ts';
import { root } from './source-key.mjs';

/** Builds the command and the assembly of this checkout into a folder. Ends when its standard input ends. */
const [, , folder = ''] = process.argv;
process.stdin.on('end', () => process.exit(1)).resume();
try {
  await madeOnce(folder, async (unfinished) => {
    const [assembly] = await Promise.all([checkoutAssembly(), buildCommand(root, unfinished)]);
    await symlink(relative(folder, assembly), join(unfinished, 'assembly'), 'dir');
    // Another user may run this checkout.
    await chmod(unfinished, 0o755);
  });
  await keepUsed(folder);
} catch (error) {
  process.stderr.write(`The functions could not be built: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
process.exit(0);
