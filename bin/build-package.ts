import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAssembly } from './package/build-assembly.ts';
import { buildClient } from './package/build-client.ts';
import { buildCommand } from './package/build-command.ts';
import { buildAuthorModule } from './package/build-author-module.ts';
import { buildNotices } from './package/build-notices.ts';

/** Builds `dist/`, the part of the package that is not in the checkout. npm runs this before `npm pack`. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
await Promise.all([
  buildCommand(root, dist),
  buildAssembly(dist),
  buildClient(root, dist),
  buildAuthorModule(root, dist),
  buildNotices(root, dist),
]);
