import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { refusedFailure, usageFailure } from '../failures.ts';

export const Profile = z.object({ url: z.string(), key: z.string() });
export type Profile = z.infer<typeof Profile>;
export type Profiles = ReadonlyMap<string, Profile>;

export const DEFAULT_PROFILE = 'default';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A lock older than this belongs to a process that died. */
const LOCK_LIFETIME_MS = 10_000;
const LOCK_WAIT_MS = 25;

type Environment = Readonly<Record<string, string | undefined>>;

function profilesPath(env: Environment): string {
  const configured = env['XDG_CONFIG_HOME'];
  const home = env['HOME'] ?? homedir();
  const root = configured !== undefined && configured !== '' ? configured : join(home, '.config');
  return join(root, 'tributary', 'profiles.json');
}

export function checkProfileName(name: string): void {
  if (!NAME.test(name))
    throw usageFailure('A profile name has at most 64 letters, digits, dots, dashes and underscores.');
}

export async function readProfiles(env: Environment): Promise<Profiles> {
  const path = profilesPath(env);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}';
    throw refusedFailure(`${path} cannot be read: ${error.message}.`);
  });
  try {
    const entries = Object.entries(z.looseObject({}).parse(JSON.parse(text)));
    return new Map(entries.map(([name, profile]) => [name, Profile.parse(profile)]));
  } catch {
    throw refusedFailure(`${path} is not a file of profiles: repair or remove it.`);
  }
}

/** Replaces the file in one step. The new file is the lock too, so that two changes at once both remain. */
export async function changeProfiles(
  env: Environment,
  change: (profiles: Map<string, Profile>) => void,
): Promise<void> {
  const path = profilesPath(env);
  const next = `${path}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  const file = await createAlone(next);
  try {
    const profiles = new Map(await readProfiles(env));
    change(profiles);
    const text = JSON.stringify(Object.fromEntries(profiles), null, 2);
    await file.writeFile(`${text}\n`);
    await file.close();
    await rename(next, path);
  } catch (error) {
    await file.close();
    await rm(next, { force: true });
    throw error;
  }
}

async function createAlone(path: string) {
  for (;;) {
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const lock = await stat(path).catch(() => undefined);
    if (lock && Date.now() - lock.mtimeMs > LOCK_LIFETIME_MS) await rm(path, { force: true });
    else await delay(LOCK_WAIT_MS);
  }
}
