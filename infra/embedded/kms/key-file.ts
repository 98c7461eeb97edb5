import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';

/** AES-256. */
const KEY_BYTES = 32;
const DISK_PREFIX = 'm/kms/';

/** The key file of a key in use is missing, or holds another key. */
class KeyLost extends Error {}

const hashOf = (key: Uint8Array) => createHash('sha256').update(key).digest('hex');

/**
 * The material of a key: a file that only its owner can read, made when the key first appears. The store keeps the hash
 * of the material, because another key would silently make all ciphertext unreadable.
 */
export async function keyMaterial(disk: Disk, dataDir: string, keyId: string): Promise<Buffer> {
  const folder = join(dataDir, 'keys');
  const path = join(folder, `${keyId}.key`);
  const known = disk.get(DISK_PREFIX + keyId);
  const found = readKeyFile(path);
  if (known !== undefined && (!found || hashOf(found) !== known)) {
    throw new KeyLost(
      `The key file ${path} ${found ? 'holds another key' : 'is missing'}: restore the right key file.`,
    );
  }
  const key = found ?? createKeyFile(folder, path);
  chmodSync(path, 0o600);
  if (known === undefined) {
    disk.put(DISK_PREFIX + keyId, hashOf(key));
    await disk.commit();
  }
  return key;
}

function readKeyFile(path: string): Buffer | undefined {
  try {
    const key = readFileSync(path);
    if (key.length === KEY_BYTES) return key;
    throw new KeyLost(`The key file ${path} does not hold ${KEY_BYTES} bytes.`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The rename makes the file appear whole; it is on the device before the key encrypts anything. */
function createKeyFile(folder: string, path: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = randomBytes(KEY_BYTES);
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, key);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  return key;
}
