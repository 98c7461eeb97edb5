import * as z from 'zod';
import type { Input, Output } from '../../call.ts';
import { EncryptionContext, KeyId, parseKmsInput } from '../kms-input.ts';
import type { KeyRing } from '../key-ring.ts';
import { keyPermission } from '../permissions.ts';

const Decrypt = z.strictObject({
  KeyId: KeyId.optional(),
  CiphertextBlob: z
    .custom<Uint8Array>((value) => value instanceof Uint8Array)
    .refine((blob) => blob.length >= 1 && blob.length <= 6144, {
      message: 'Member must have length between 1 and 6144, inclusive',
    }),
  EncryptionContext,
  EncryptionAlgorithm: z.literal('SYMMETRIC_DEFAULT').optional(),
});

export function decrypt(input: Input, keys: KeyRing): Output {
  const { CiphertextBlob, KeyId: name, EncryptionContext: context } = parseKmsInput(Decrypt, input);
  const key = keys.findByBlob(CiphertextBlob, name);
  const Plaintext = keys.open(key, CiphertextBlob, context);
  return { KeyId: key.arn, Plaintext, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
}

export function decryptPermission(input: Input, keys: KeyRing) {
  const { CiphertextBlob, KeyId: name, EncryptionContext: context } = parseKmsInput(Decrypt, input);
  return keyPermission('kms:Decrypt', keys.findByBlob(CiphertextBlob, name), context);
}
