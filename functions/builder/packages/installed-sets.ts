import { constants } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  open,
  opendir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import type { BuildSettings } from '../builder-settings.ts';
import { sha256 } from '../hash.ts';

/** Reuse time of an installed set; after it `latest` is resolved again. */
const LATEST_MS = 5 * 60_000;
/** Longer than any build that may still use an installed set. */
const IN_USE_MS = 2 * 60_000;
/** Maximum of installed sets per user. */
const MAX_INSTALLED_SETS = 8;
/** Names of a directory that one sweep looks at. */
const MAX_NAMES = 1000;
/** A record names thousands of packages in it. */
const LARGEST_RECORD = 1024 * 1024;
/** Maximum wait for another process that installs the same set. */
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 100;
/** Interval of {@link sweepInstalledSets}, by the processes of the user and, after their end, by their host. */
export const SWEEP_INTERVAL_MS = 30_000;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

const Installed = z.object({
  /** Real path of the folder with `node_modules`. */
  root: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string(), integrity: z.string() })),
});
export type Installed = z.infer<typeof Installed>;

const TreeRecord = Installed.extend({ at: z.number() });

/**
 * Name of the directory for sets that a process is installing. Its files belong to no set after the end of the process.
 */
const UNFINISHED = 'unfinished-';

/** Removes a directory with everything in it. */
type Remove = (path: string) => void | Promise<void>;

const removeAll: Remove = (path) => rm(path, { recursive: true, force: true, maxRetries: 3 });

/** Removes what processes left that were killed. No process of the directories may run. */
export async function removeUnfinished(
  installedSetsDirectory: string,
  cacheDirectory: string,
  remove: Remove,
): Promise<void> {
  const names = await readdir(installedSetsDirectory).catch(() => []);
  const unfinished = names.filter((name) => name.startsWith(UNFINISHED));
  for (const path of [...unfinished.map((name) => join(installedSetsDirectory, name)), join(cacheDirectory, 'tmp')])
    await remove(path);
}

/**
 * Installs a set of packages once for all processes of one user; concurrent builds wait for it. An installed set is
 * never changed. Nothing is left of a set that cannot be installed.
 */
export async function installedOnce(
  { installedSetsDirectory: directory, workDirectory }: Pick<BuildSettings, 'installedSetsDirectory' | 'workDirectory'>,
  key: string,
  install: (path: string) => Promise<Installed['packages']>,
): Promise<Installed> {
  const unfinished = join(directory, UNFINISHED + basename(workDirectory));
  await mkdir(directory, { recursive: true });
  const name = sha256(key).slice(0, 32);
  const record = join(directory, `${name}.json`);
  const lock = join(directory, `${name}.lock`);
  for (const giveUpAt = Date.now() + LONGEST_WAIT_MS; ;) {
    const existing = await read(record);
    if (existing && existing.at + LATEST_MS > Date.now()) return existing;
    if (await acquire(lock)) break;
    if (Date.now() > giveUpAt) return make();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    const made = await make();
    await writeFile(`${record}.new`, JSON.stringify({ ...made, at: Date.now() }));
    await rename(`${record}.new`, record);
    return made;
  } finally {
    await rm(lock, { force: true });
  }

  async function make(): Promise<Installed> {
    await mkdir(unfinished, { recursive: true });
    try {
      const path = await realpath(await mkdtemp(join(unfinished, `${name}-`)));
      const packages = await install(path);
      const root = join(await realpath(directory), basename(path));
      await rename(path, root);
      return { root, packages };
    } finally {
      // npm cannot be stopped and may still write there; the host removes the rest after the end of the process.
      await rm(unfinished, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }
}

/** Reads a record and marks it as used now. */
async function read(record: string): Promise<z.infer<typeof TreeRecord> | undefined> {
  try {
    const now = new Date();
    await utimes(record, now, now);
    return TreeRecord.parse(JSON.parse(await readFile(record, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Lock file with the installer's pid. The lock of a dead pid is void. */
async function acquire(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes installed sets that no build uses: expired ones, and the least recently used above `MAX_INSTALLED_SETS`. The
 * host calls it, too, and trusts no file of the directory.
 */
export async function sweepInstalledSets(directory: string, remove: Remove = removeAll): Promise<void> {
  const now = Date.now();
  const found = await Promise.all(
    (await namesIn(directory)).map(async (name) => {
      const { mtimeMs } = await lstat(join(directory, name)).catch(() => ({ mtimeMs: now }));
      // A process can set any time, and a time far ahead would keep a set for ever.
      return { name, usedAt: mtimeMs > now + IN_USE_MS ? 0 : mtimeMs };
    }),
  );
  const records = found.filter(({ name }) => name.endsWith('.json')).sort((a, b) => b.usedAt - a.usedAt);
  const kept = new Set<string>();
  for (const [index, { name, usedAt }] of records.entries()) {
    const record = join(directory, name);
    const { root = '', at = 0 } = (await peek(record)) ?? {};
    const isReusable = index < MAX_INSTALLED_SETS && at + LATEST_MS > now;
    if (isReusable || usedAt + IN_USE_MS > now) kept.add(root);
    else await remove(record);
  }
  for (const { name, usedAt } of found) {
    const path = join(directory, name);
    if (name.endsWith('.json') || usedAt + IN_USE_MS >= now) continue;
    // A recently installed set may not have its record yet.
    if (!kept.has(await realpath(path).catch(() => path))) await remove(path);
  }
}

/** A directory with more names is swept in several rounds. */
async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(directory).catch(() => [])) {
    names.push(name);
    if (names.length === MAX_NAMES) break;
  }
  return names;
}

/** Undefined for what no build has written: a link, another kind of file, or text of another form. */
async function peek(record: string): Promise<z.infer<typeof TreeRecord> | undefined> {
  const file = await open(record, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (!file) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > LARGEST_RECORD) return undefined;
    return TreeRecord.parse(JSON.parse(await file.readFile('utf8')));
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
