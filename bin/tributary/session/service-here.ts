import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { CLIENT_FILE } from '../../client-file.ts';

const ClientFile = z.object({ url: z.string(), key: z.string() });
type ClientFile = z.infer<typeof ClientFile>;

/** The running embedded service of `DATA_DIR`, else of the nearest `.data` above the working directory. */
export async function serviceHere(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<(ClientFile & { path: string }) | undefined> {
  for (const directory of dataDirectories(env['DATA_DIR'], cwd)) {
    const path = join(directory, CLIENT_FILE);
    if (!(await isOwn(path))) continue;
    const found = await readClientFile(path);
    if (found) return { ...found, path };
  }
  return undefined;
}

function* dataDirectories(dataDir: string | undefined, cwd: string): Generator<string> {
  if (dataDir !== undefined && dataDir !== '') {
    yield resolve(cwd, dataDir);
    return;
  }
  for (let directory = cwd; ; directory = dirname(directory)) {
    yield join(directory, '.data');
    if (dirname(directory) === directory) return;
  }
}

/** Another user's file could name another user's service, which would then get this user's code and props. */
async function isOwn(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  const user = process.getuid?.();
  return user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
}

async function readClientFile(path: string): Promise<ClientFile | undefined> {
  try {
    return ClientFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // The service ended, or is writing it.
    return undefined;
  }
}
