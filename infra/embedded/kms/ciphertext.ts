import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { invalidCiphertext } from './errors.ts';
import type { EncryptionContext } from './kms-input.ts';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The order of the pairs does not matter. The context is authenticated, not stored. */
const authenticated = (keyId: string, context: EncryptionContext) =>
  Buffer.from(JSON.stringify([keyId, Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))]));

/**
 * A blob holds version, length of the key's id, the id, nonce, tag and ciphertext. As on AWS, it names the key that
 * opens it.
 */
export function sealBlob(keyId: string, key: Uint8Array, plain: Uint8Array, context: EncryptionContext): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(authenticated(keyId, context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  const id = Buffer.from(keyId);
  return Buffer.concat([Buffer.from([VERSION, id.length]), id, iv, cipher.getAuthTag(), text]);
}

/** Throws `InvalidCiphertextException` for a blob that names no key. */
export function keyIdIn(blob: Uint8Array): string {
  const [version, length = 0] = blob;
  if (version !== VERSION || blob.length < 2 + length + IV_BYTES + TAG_BYTES) throw invalidCiphertext();
  return Buffer.from(blob.subarray(2, 2 + length)).toString();
}

/** Throws `InvalidCiphertextException` for a changed blob and for a different context. */
export function openBlob(key: Uint8Array, blob: Uint8Array, context: EncryptionContext): Buffer {
  const keyId = keyIdIn(blob);
  const at = 2 + Buffer.byteLength(keyId);
  const iv = blob.subarray(at, at + IV_BYTES);
  const tag = blob.subarray(at + IV_BYTES, at + IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv);
    decipher.setAAD(authenticated(keyId, context)).setAuthTag(tag);
    return Buffer.concat([decipher.update(blob.subarray(at + IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}
