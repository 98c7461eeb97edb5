import { build, type BuildOptions } from 'esbuild';
import { fileURLToPath } from 'node:url';

/**
 * Bundles of the programs that the embedded cloud starts beside its main thread, because they cannot load TypeScript.
 */
export interface Programs {
  /** The second thread that runs functions. */
  readonly thread: string;
  /** The process that starts processes for untrusted code. */
  readonly spawner: string;
}

const entries: Record<keyof Programs, string> = {
  thread: 'lambda/thread-entry.ts',
  spawner: 'isolation/spawner-entry.ts',
};

export const programBuild = (name: keyof Programs, outfile: string): BuildOptions => ({
  entryPoints: [fileURLToPath(new URL(entries[name], import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'silent',
});

export async function buildProgram(name: keyof Programs, outfile: string): Promise<void> {
  await build(programBuild(name, outfile));
}
