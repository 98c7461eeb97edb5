import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Service, serviceOf, TEST_KEY } from '../../../support/service.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');
const PACKAGE = 'node_modules/@tributary-events/tributary';
const PROGRAM = 'bin/tributary.mjs';
/** A start after the first build. */
const LONGEST_START_MS = 120_000;

/** Another version of the service. */
export interface OtherVersion {
  start(dataDir: string): Promise<Service>;
  /** Deletes what was made for it. */
  remove(): void;
}

/**
 * A version is the folder of a checkout or of an installed package, a `.tgz` of `npm pack`, or a commit as git names
 * it.
 */
export async function otherVersion(against: string): Promise<OtherVersion> {
  if (existsSync(join(against, PROGRAM))) return versionIn(resolve(against), () => undefined);
  mkdirSync(join(CHECKOUT, '.build'), { recursive: true });
  const folder = mkdtempSync(join(CHECKOUT, '.build', 'pairs-'));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const root = against.endsWith('.tgz') ? installed(resolve(against), folder) : checkedOut(against, folder);
    if (!existsSync(join(root, PROGRAM))) throw new Error(`${against} has no ${PROGRAM}: it is too old.`);
    // The first command builds, which is not a part of the start.
    run('sh', [PROGRAM, '--version'], root);
    return versionIn(root, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

const versionIn = (root: string, remove: () => void): OtherVersion => ({
  start: (dataDir) => {
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', INGRESS_PORT: '0', API_KEY: TEST_KEY };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return serviceOf(spawn('sh', [PROGRAM, 'start'], { cwd: root, env, stdio: [...stdio] }), LONGEST_START_MS);
  },
  remove,
});

function installed(file: string, folder: string): string {
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, file], folder);
  return join(folder, PACKAGE);
}

/** The files of a commit, with the packages of this checkout if its lock file is the same. */
function checkedOut(commit: string, folder: string): string {
  const hash = run('git', ['rev-parse', '--verify', `${commit}^{commit}`], CHECKOUT).trim();
  const archive = join(folder, 'files.tar');
  run('git', ['archive', '--output', archive, hash], CHECKOUT);
  run('tar', ['-xf', archive], folder);
  const lockFiles = [CHECKOUT, folder].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (lockFiles[0] === lockFiles[1]) symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], folder);
  return folder;
}

const run = (program: string, words: readonly string[], cwd: string): string =>
  execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
