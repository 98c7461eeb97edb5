import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, sourceKey } from './source-key.mjs';

/**
 * Address of the command that is built from the sources of this checkout, with all that the service runs. Each state of
 * the sources is built once. This is plain JavaScript, because a TypeScript loader takes longer than the rest of a
 * start.
 */
export async function builtCommand() {
  const folder = join(root, '.build', 'start', sourceKey(['bin', 'docs', 'functions', 'infra', 'shared']));
  if (!existsSync(folder)) await build(folder);
  return pathToFileURL(join(folder, 'command', 'tributary.js')).href;
}

async function build(folder) {
  if (!existsSync(join(root, 'node_modules', 'tsx'))) {
    process.stderr.write(
      `The functions are not built, and npm installed no packages to build them: run npm ci in ${root}.\n`,
    );
    process.exit(1);
  }
  process.stderr.write('Building the functions, once for this state of the sources …\n');
  const program = ['--import', 'tsx', join('bin', 'build-checkout.ts'), folder];
  // The program ends when its input does, at the latest with this process.
  const child = spawn(process.execPath, program, { cwd: root, stdio: ['pipe', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  // It has said why.
  if (code !== 0) process.exit(1);
}
