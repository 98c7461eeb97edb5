import { runTributary } from './run-tributary.ts';

await runTributary(async () => (await import('./assembly.ts')).assemblyOf);
