import {
  open,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { sha256 } from './hash.ts';

/** After this long "latest" is asked again. */
const LATEST_MS = 5 * 60_000;
/** Longer than any build that may still use one. */
const IN_USE_MS = 2 * 60_000;
/** Installed sets kept for the next builds of a user. */
const MOST_KEPT = 8;
/** Another process is given this long to install the same. */
const LONGEST_WAIT_MS = 60_000;
const LOOK_MS = 100;

const Installed = z.object({
  /** The folder that has `node_modules`, links resolved. */
  root: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string(), integrity: z.string() })),
});
export type Installed = z.infer<typeof Installed>;

const Kept = Installed.extend({ at: z.number() });

/**
 * Sets of packages that lie installed for all processes of one user, each installed once: what builds at the same time waits for it. Nobody
 * writes into one once it is there.
 */
export async function installedOnce(
  directory: string,
  key: string,
  install: (path: string) => Promise<Installed['packages']>,
): Promise<Installed> {
  await mkdir(directory, { recursive: true });
  const name = sha256(key).slice(0, 32);
  const record = join(directory, `${name}.json`);
  const lock = join(directory, `${name}.lock`);
  for (const giveUpAt = Date.now() + LONGEST_WAIT_MS; ;) {
    const kept = await read(record);
    if (kept && kept.at + LATEST_MS > Date.now()) return kept;
    if (await take(lock)) break;
    if (Date.now() > giveUpAt) return make();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
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
    const root = await realpath(await mkdtemp(join(directory, `${name}-`)));
    return { root, packages: await install(root) };
  }
}

/** What is kept, marked as in use. */
async function read(record: string): Promise<z.infer<typeof Kept> | undefined> {
  try {
    const now = new Date();
    await utimes(record, now, now);
    return Kept.parse(JSON.parse(await readFile(record, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Holds the id of who installs; one that died holds nothing. */
async function take(lock: string): Promise<boolean> {
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

/** Removes what no build uses and none will: what is old, and the least recently used of what is too much. */
export async function sweepTrees(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const now = Date.now();
  const found = await Promise.all(
    entries.map(async ({ name }) => {
      const { mtimeMs } = await stat(join(directory, name)).catch(() => ({ mtimeMs: now }));
      return { name, usedAt: mtimeMs };
    }),
  );
  const records = found.filter(({ name }) => name.endsWith('.json')).sort((a, b) => b.usedAt - a.usedAt);
  const kept = new Set<string>();
  for (const [index, { name, usedAt }] of records.entries()) {
    const record = join(directory, name);
    const { root = '', at = 0 } = (await peek(record)) ?? {};
    const isWanted = index < MOST_KEPT && at + LATEST_MS > now;
    if (isWanted || usedAt + IN_USE_MS > now) kept.add(root);
    else await rm(record, { force: true });
  }
  for (const { name, usedAt } of found) {
    const path = join(directory, name);
    const isTree = !/\.(?:json|lock|new)$/.test(name);
    // A younger one may not have its record yet.
    if (isTree && !kept.has(await realpath(path).catch(() => path)) && usedAt + IN_USE_MS < now)
      await rm(path, { recursive: true, force: true });
  }
}

const peek = async (record: string) =>
  readFile(record, 'utf8').then(
    (text) => Kept.safeParse(JSON.parse(text)).data,
    () => undefined,
  );
