import { randomBytes } from 'node:crypto';
import type { Demand, EmbeddedService, Output } from '../call.ts';
import type { Disk } from '../disk.ts';
import { type EncryptionContext, keyIdIn, open, seal } from './ciphertext.ts';
import { incorrectKey, notFound, unknownOperation } from './errors.ts';
import { inputs, isOperation, type Operation, parsed } from './input.ts';
import { keyMaterial } from './key-file.ts';

export interface KmsOptions {
  readonly disk: Disk;
  readonly dataDir: string;
  readonly region: string;
  readonly account: string;
}

export interface Kms extends EmbeddedService {
  createKey(keyId: string): Promise<void>;
  createAlias(alias: string, keyId: string): void;
}

const SYMMETRIC = 'SYMMETRIC_DEFAULT';
const KEY_SPEC_BYTES = { AES_256: 32, AES_128: 16 } as const;

/** Symmetric keys, each in a file of its own in the data directory. What is encrypted rests with whoever asked. */
export function kms({ disk, dataDir, region, account }: KmsOptions): Kms {
  const keys = new Map<string, Buffer>();
  const aliases = new Map<string, string>();
  const arnOf = (keyId: string) => `arn:aws:kms:${region}:${account}:key/${keyId}`;
  const prefix = `arn:aws:kms:${region}:${account}:`;

  /** By id, ARN, alias or ARN of an alias. */
  function found(named: string): { keyId: string; key: Buffer } {
    const local = named.startsWith(prefix) ? named.slice(prefix.length) : named;
    const keyId = local.startsWith('alias/') ? aliases.get(local) : local.replace(/^key\//, '');
    const key = keyId === undefined ? undefined : keys.get(keyId);
    if (keyId !== undefined && key) return { keyId, key };
    if (local.startsWith('alias/')) throw notFound(`Alias ${prefix}${local} is not found.`);
    throw notFound(`Key '${local.startsWith('key/') ? prefix + local : arnOf(local)}' does not exist`);
  }

  /** The key that made a blob, which has to be the one that was named. */
  function keyOf(blob: Uint8Array, named: string | undefined) {
    const made = found(keyIdIn(blob));
    if (named !== undefined && found(named).keyId !== made.keyId) throw incorrectKey();
    return made;
  }

  function demandOf(operation: Operation, keyId: string, context: EncryptionContext): Demand {
    const keysOfContext = Object.entries(context).map(
      ([name, value]) => [`kms:EncryptionContext:${name}`, value] as const,
    );
    return { action: `kms:${operation}`, resource: arnOf(keyId), context: Object.fromEntries(keysOfContext) };
  }

  function answer(operation: Operation, input: unknown): Output {
    if (operation === 'Decrypt') {
      const { CiphertextBlob, KeyId, EncryptionContext } = parsed(inputs.Decrypt, input);
      const { keyId, key } = keyOf(CiphertextBlob, KeyId);
      const Plaintext = bytes(open(key, CiphertextBlob, EncryptionContext));
      return { KeyId: arnOf(keyId), Plaintext, EncryptionAlgorithm: SYMMETRIC };
    }
    if (operation === 'Encrypt') {
      const { KeyId, Plaintext, EncryptionContext } = parsed(inputs.Encrypt, input);
      const { keyId, key } = found(KeyId);
      const CiphertextBlob = bytes(seal(keyId, key, Plaintext, EncryptionContext));
      return { KeyId: arnOf(keyId), CiphertextBlob, EncryptionAlgorithm: SYMMETRIC };
    }
    const { KeyId, KeySpec, NumberOfBytes = 0, EncryptionContext } = parsed(inputs.GenerateDataKey, input);
    const { keyId, key } = found(KeyId);
    const plain = randomBytes(KeySpec === undefined ? NumberOfBytes : KEY_SPEC_BYTES[KeySpec]);
    const CiphertextBlob = bytes(seal(keyId, key, plain, EncryptionContext));
    return { KeyId: arnOf(keyId), Plaintext: bytes(plain), CiphertextBlob };
  }

  return {
    id: 'KMS',
    async createKey(keyId) {
      keys.set(keyId, await keyMaterial(disk, dataDir, keyId));
    },
    createAlias: (alias, keyId) => void aliases.set(alias, keyId),

    demands(operation, input) {
      if (!isOperation(operation)) throw unknownOperation(operation);
      if (operation === 'Decrypt') {
        const { CiphertextBlob, KeyId, EncryptionContext } = parsed(inputs.Decrypt, input);
        return [demandOf(operation, keyOf(CiphertextBlob, KeyId).keyId, EncryptionContext)];
      }
      const { KeyId, EncryptionContext } = parsed(inputs[operation], input);
      return [demandOf(operation, found(KeyId).keyId, EncryptionContext)];
    },

    // Anything thrown is the promise's.
    async call(operation, input) {
      if (!isOperation(operation)) throw unknownOperation(operation);
      return Promise.resolve(answer(operation, input));
    },
  };
}

/** Of their own memory: buffers of Node share a pool, and what is handed out may be kept. */
const bytes = (buffer: Buffer): Uint8Array => Uint8Array.from(buffer);
