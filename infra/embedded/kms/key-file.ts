import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Disk } from '../disk.ts';

/** AES-256. */
export const KEY_BYTES = 32;
const DISK_PREFIX = 'm/kms/';

/** The data directory lacks a key under which something in it is encrypted, or has another one in its place. */
export class KeyLost extends Error {}

const hashOf = (key: Uint8Array) => createHash('sha256').update(key).digest('hex');

/**
 * The key's material: a file of its own, which only its owner reads, made when the key first appears. The store remembers its hash: with
 * another key everything that was encrypted would be lost without a word.
 */
export async function keyMaterial(disk: Disk, dataDir: string, keyId: string): Promise<Buffer> {
  const folder = join(dataDir, 'keys');
  const path = join(folder, `${keyId}.key`);
  const known = disk.get(DISK_PREFIX + keyId);
  const found = read(path);
  if (known !== undefined && (!found || hashOf(found) !== known)) {
    throw new KeyLost(`The key file ${path} is ${found ? 'another one' : 'gone'}: put the right one back.`);
  }
  const key = found ?? make(folder, path);
  chmodSync(path, 0o600);
  if (known === undefined) {
    disk.put(DISK_PREFIX + keyId, hashOf(key));
    await disk.commit();
  }
  return key;
}

function read(path: string): Buffer | undefined {
  try {
    const key = readFileSync(path);
    if (key.length === KEY_BYTES) return key;
    throw new KeyLost(`The key file ${path} does not hold ${KEY_BYTES} bytes.`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whole or not at all, and on the disk before anything is encrypted under it. */
function make(folder: string, path: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = randomBytes(KEY_BYTES);
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, key);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  return key;
}
