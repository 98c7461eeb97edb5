import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAMBDA_PLATFORM } from '../infra/architecture.ts';
import { addCompiler } from '../infra/compiler.ts';
import { checkoutAssembly } from './assembly.ts';
import { buildClient } from './package/build-client.ts';
import { buildCommand } from './package/build-command.ts';
import { buildConstruct } from './package/build-construct.ts';
import { buildAuthorModule } from './package/build-author-module.ts';
import { buildNotices } from './package/build-notices.ts';

/** Builds `dist/`, the part of the package that is not in the checkout. npm runs this before `npm pack`. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
await Promise.all([
  buildCommand(root, dist),
  buildAssembly(),
  buildClient(root, dist),
  buildConstruct(root, dist),
  buildAuthorModule(root, dist),
  buildNotices(root, dist),
]);

/**
 * Copies the assembly of this checkout into `assembly/`. The construct deploys its functions as they are, but for the
 * builder: that in `builder/` has the compiler for AWS.
 */
async function buildAssembly(): Promise<void> {
  const assembly = await checkoutAssembly();
  const builder = join(dist, 'builder');
  await cp(assembly, join(dist, 'assembly'), { recursive: true });
  await cp(join(assembly, 'functions', 'builder'), builder, { recursive: true });
  await addCompiler(builder, { platform: LAMBDA_PLATFORM });
}
