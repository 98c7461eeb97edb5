import { join, relative } from 'node:path';
import { DataDirectoryUnusable } from './disk.ts';

export const socketPath = (dataDir: string) => join(dataDir, 'admin.sock');
/** Bytes of a socket address that every system accepts. */
const MAX_ADDRESS_BYTES = 103;

/** The path of the socket, absolute or relative to the working directory, whichever is shorter. */
export function socketAddress(dataDir: string): string {
  const [path, fromHere] = [socketPath(dataDir), relative(process.cwd(), socketPath(dataDir))];
  const shorter = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(shorter) <= MAX_ADDRESS_BYTES) return shorter;
  throw new DataDirectoryUnusable(`The path of the data directory ${dataDir} is too long for the socket in it.`);
}
