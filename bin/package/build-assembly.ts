import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { checkoutAssembly } from '../assembly.ts';

/** Copies the assembly of this checkout into `assembly/`. */
export async function buildAssembly(dist: string): Promise<void> {
  await cp(await checkoutAssembly(), join(dist, 'assembly'), { recursive: true });
}
