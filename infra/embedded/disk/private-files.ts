import { stat } from 'node:fs/promises';
import { platform } from 'node:process';

const FOR_OTHERS = 0o077;

/** Makes every file that this process and its children create readable by their user only. */
export function createPrivateFiles(): void {
  process.umask(FOR_OTHERS);
}

/** A sentence for the operator when other users of this machine have access to a directory. */
export async function accessOfOthers(directory: string): Promise<string | undefined> {
  const { mode } = await stat(directory);
  // Windows has no such modes.
  if (platform === 'win32' || (mode & FOR_OTHERS) === 0) return undefined;
  const shown = (mode & 0o777).toString(8);
  return `The data directory ${directory} is open to other users of this machine (mode ${shown}): run chmod 700 ${directory}.`;
}
