import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IsolationUnavailable } from './levels.ts';

/** Permission of every user to pass through a directory. */
const ENTER = 0o001;

/**
 * The directories of components and builds lie in the temporary folder. Throws when another user cannot pass through to
 * it.
 */
export function refuseClosedFolder(temporary: string): void {
  let folder = realFolder(temporary);
  for (;;) {
    const { mode } = statSync(folder);
    if ((mode & ENTER) === 0) {
      const shown = (mode & 0o777).toString(8).padStart(3, '0');
      throw unusable(temporary, `the users of components cannot pass through ${folder}, whose mode is ${shown}`);
    }
    if (folder === dirname(folder)) return;
    folder = dirname(folder);
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw unusable(path, 'there is no such directory');
  }
}

const unusable = (path: string, why: string) =>
  new IsolationUnavailable(
    `TMPDIR=${path} cannot be used: ${why}. Set TMPDIR to a directory that every user may enter, such as /tmp.`,
  );
