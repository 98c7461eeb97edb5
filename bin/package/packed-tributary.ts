import { fileURLToPath } from 'node:url';
import { runTributary } from '../run-tributary.ts';

/** The entry of the built command, in `dist/command/`. */
const assembly = fileURLToPath(new URL('../assembly', import.meta.url));
await runTributary(async () => (await import('./packed-assembly.ts')).packedAssemblyIn(assembly));
