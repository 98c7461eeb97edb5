import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** Writes the program of a {@link FunctionThread}, because a thread cannot load TypeScript. */
export async function buildThread(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('thread-entry.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'silent',
  });
}
