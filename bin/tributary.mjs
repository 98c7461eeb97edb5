#!/bin/sh
// 2>/dev/null; exec node --max-semi-space-size=32 --heap-growing-percent=100 --v8-pool-size=2 "$0" "$@"
/**
 * Starts `tributary`. The shell replaces itself by Node at line 2, which is a comment for Node. Its options hold only
 * from the start of a process: a larger young generation takes less processor time and more memory (docs/embedded.md).
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./check-node.cjs');
if (existsSync(new URL('./tributary.ts', import.meta.url))) {
  const { builtCommand } = await import('./built-command.mjs');
  await import(await builtCommand());
} else await import('../dist/command/tributary.js');
