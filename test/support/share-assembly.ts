import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Puts the assembly of this run into a new data directory: a service with the default settings finds it and makes none.
 */
export function shareAssembly(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  symlinkSync(inject('assembly'), join(dataDir, 'assembly'), 'dir');
}
