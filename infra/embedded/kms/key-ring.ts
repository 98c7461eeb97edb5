import { keyIdIn, openBlob, sealBlob } from './ciphertext.ts';
import { incorrectKey, keyNotFound } from './errors.ts';
import type { EncryptionContext } from './kms-input.ts';

/** A key of the key ring, found by one of its names. */
export interface FoundKey {
  readonly keyId: string;
  readonly arn: string;
  readonly material: Buffer;
}

/** The symmetric keys of one account and region. */
export class KeyRing {
  readonly #arnPrefix: string;
  readonly #keys = new Map<string, Buffer>();

  constructor({ region, account }: { region: string; account: string }) {
    this.#arnPrefix = `arn:aws:kms:${region}:${account}:`;
  }

  addKey(keyId: string, material: Buffer): void {
    this.#keys.set(keyId, material);
  }

  /** Takes an id or an ARN. */
  find(name: string): FoundKey {
    const local = name.startsWith(this.#arnPrefix) ? name.slice(this.#arnPrefix.length) : name;
    const keyId = local.replace(/^key\//, '');
    const arn = this.#arnOf(keyId);
    const material = this.#keys.get(keyId);
    if (material) return { keyId, arn, material };
    throw keyNotFound(`Key '${arn}' does not exist`);
  }

  /** The key that made a blob. It must be the key that the caller names, if the caller names one. */
  findByBlob(blob: Uint8Array, name: string | undefined): FoundKey {
    const key = this.find(keyIdIn(blob));
    if (name !== undefined && this.find(name).keyId !== key.keyId) throw incorrectKey();
    return key;
  }

  seal({ keyId, material }: FoundKey, plaintext: Uint8Array, context: EncryptionContext): Uint8Array {
    return copied(sealBlob(keyId, material, plaintext, context));
  }

  open({ material }: FoundKey, blob: Uint8Array, context: EncryptionContext): Uint8Array {
    return copied(openBlob(material, blob, context));
  }

  #arnOf(keyId: string): string {
    return `${this.#arnPrefix}key/${keyId}`;
  }
}

/** Node's buffers share a pool. A caller may keep the output, so it gets memory of its own. */
const copied = (buffer: Buffer): Uint8Array => Uint8Array.from(buffer);
