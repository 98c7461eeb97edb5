import type { EmbeddedService, Input, Output, RequiredPermission } from '../call.ts';
import type { Disk } from '../disk/disk.ts';
import { operationNamed, type OperationTable } from '../operation.ts';
import { unknownKmsOperation } from './errors.ts';
import { keyMaterial } from './key-file.ts';
import { KeyRing } from './key-ring.ts';
import { decrypt, decryptPermission } from './operations/decrypt.ts';
import { generateDataKey, generateDataKeyPermission } from './operations/generate-data-key.ts';

export const kmsOperations = {
  Decrypt: { handle: decrypt, requires: decryptPermission },
  GenerateDataKey: { handle: generateDataKey, requires: generateDataKeyPermission },
} satisfies OperationTable<KeyRing, Output>;

interface KmsOptions {
  readonly disk: Disk;
  readonly dataDir: string;
  readonly region: string;
  readonly account: string;
}

/** Symmetric keys, each in a file of its own in the data directory. Ciphertext is stored by the caller. */
export class KmsService implements EmbeddedService {
  readonly id = 'KMS';
  readonly #options: KmsOptions;
  readonly #keys: KeyRing;

  constructor(options: KmsOptions) {
    this.#options = options;
    this.#keys = new KeyRing(options);
  }

  async createKey(keyId: string): Promise<void> {
    const { disk, dataDir } = this.#options;
    this.#keys.addKey(keyId, await keyMaterial(disk, dataDir, keyId));
  }

  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[] {
    return operationNamed(kmsOperations, operation, unknownKmsOperation).requires(input, this.#keys);
  }

  /** async: a handler's error rejects. */
  async call(operation: string, input: Input): Promise<Output> {
    return Promise.resolve(operationNamed(kmsOperations, operation, unknownKmsOperation).handle(input, this.#keys));
  }
}
