import { fileURLToPath } from 'node:url';
import { runTributary } from './run-tributary.ts';

/** The entry of the built command. */
const assembly = fileURLToPath(new URL('../assembly', import.meta.url));
await runTributary(async () => (await import('./built-assembly.ts')).builtAssemblyIn(assembly));
