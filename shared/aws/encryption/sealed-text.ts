import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A text encrypted by a data key; base64. */
interface SealedText {
  nonce: string;
  text: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const dataOf = (authenticated: readonly string[]) => Buffer.from(JSON.stringify(authenticated));

/** The authenticated data is not stored: a decryption must have it from elsewhere. */
export function encryptText(key: Uint8Array, authenticated: readonly string[], plain: string): SealedText {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(dataOf(authenticated));
  const text = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return { nonce: nonce.toString('base64'), text: Buffer.concat(text).toString('base64') };
}

/** The text was sealed by another key or for another object, or it was changed. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

export function decryptText(key: Uint8Array, authenticated: readonly string[], sealed: SealedText): string {
  try {
    return decrypted(key, authenticated, sealed);
  } catch (cause) {
    throw new UnreadableSecret('The secret cannot be decrypted by its data key', { cause });
  }
}

function decrypted(key: Uint8Array, authenticated: readonly string[], { nonce, text }: SealedText): string {
  const bytes = Buffer.from(text, 'base64');
  const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(dataOf(authenticated)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([cipher.update(bytes.subarray(0, -TAG_BYTES)), cipher.final()]).toString('utf8');
}
