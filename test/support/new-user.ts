import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';

/** The key of a new user, made as an operator makes one. */
export async function newUser(dataDir: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['bin/tributary.mjs', 'admin', 'users', 'create', '--json'],
      ...['--username', name, '--email', `${name}@example.org`],
    ],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  return z.object({ api_key: z.string() }).parse(JSON.parse(stdout)).api_key;
}
