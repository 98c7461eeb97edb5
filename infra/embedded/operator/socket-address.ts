import { join, relative } from 'node:path';
import { DataDirectoryUnusable } from '../disk.ts';

export const socketPath = (dataDir: string) => join(dataDir, 'admin.sock');
/** What every system takes as the address of a socket, in bytes. */
const LONGEST_ADDRESS = 103;

/** From where we are the way may be shorter. */
export function socketAddress(dataDir: string): string {
  const [path, fromHere] = [socketPath(dataDir), relative(process.cwd(), socketPath(dataDir))];
  const shorter = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(shorter) <= LONGEST_ADDRESS) return shorter;
  throw new DataDirectoryUnusable(
    `The path of the data directory ${dataDir} is too long for the socket in it.`,
  );
}
