#!/usr/bin/env node
/** Starts `tributary`: in a checkout the TypeScript program, in the package the built one. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./check-node.cjs');
if (existsSync(new URL('./tributary.ts', import.meta.url))) {
  const { register } = await import('tsx/esm/api');
  register();
  await import('./tributary.ts');
} else await import('../dist/command/tributary.js');
