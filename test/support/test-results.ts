import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

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

export interface TestResults {
  passed: number;
  failed: string[];
}

interface TestRun {
  /** The program of Node. */
  node: string;
  /** They choose the tests. */
  args: readonly string[];
  /** An operating-system user, instead of that of this process. */
  user?: number;
}

/** Runs tests of this repository in a process of their own. */
export async function testResults({ node, args, user }: TestRun): Promise<TestResults> {
  const folder = await mkdtemp(join(tmpdir(), 'test-results-'));
  try {
    // Every user can start the program there: a sandbox has a user of its own only then.
    await chmod(folder, 0o755);
    const program = join(folder, 'node');
    await cp(node, program, { dereference: true });
    const output = join(await folderOf(folder, 'output', user), 'results.json');
    const all = [
      'node_modules/vitest/vitest.mjs',
      'run',
      // Beside other tests of the run that starts this one.
      '--maxWorkers=2',
      // The other loader, and the cache of modules, write into `node_modules`.
      ...(user === undefined ? [] : ['--configLoader', 'runner', '--experimental.fsModuleCache=false']),
      ...args,
      '--reporter=json',
      `--outputFile=${output}`,
    ];
    const options = user === undefined ? {} : await optionsOf(user, folder);
    await promisify(execFile)(program, all, { maxBuffer: 256 * 1024 * 1024, ...options }).catch(() => undefined);
    return resultsOf(await readFile(output, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function folderOf(parent: string, name: string, user: number | undefined): Promise<string> {
  const path = join(parent, name);
  await mkdir(path);
  if (user !== undefined) await chown(path, user, user);
  return path;
}

/** A session of the user, with files of its own. */
async function optionsOf(user: number, folder: string) {
  const HOME = await folderOf(folder, 'home', user);
  const TMPDIR = await folderOf(folder, 'tmp', user);
  return { uid: user, gid: user, env: { ...process.env, HOME, TMPDIR } };
}

function resultsOf(text: string): TestResults {
  const { numPassedTests, testResults: files } = Results.parse(JSON.parse(text));
  const failed = files.flatMap(({ name, status, assertionResults }) => {
    const names = assertionResults
      .filter((each) => each.status === 'failed')
      .map(({ fullName }) => `${name}: ${fullName}`);
    return names.length === 0 && status === 'failed' ? [name] : names;
  });
  return { passed: numPassedTests, failed };
}
