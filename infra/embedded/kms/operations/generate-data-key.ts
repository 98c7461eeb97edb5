import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Input, Output } from '../../call.ts';
import { EncryptionContext, KeyId, parseKmsInput } from '../kms-input.ts';
import type { KeyRing } from '../key-ring.ts';
import { keyPermission } from '../permissions.ts';

const GenerateDataKey = z
  .strictObject({
    KeyId,
    KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
    NumberOfBytes: z.number().int().min(1).max(1024).optional(),
    EncryptionContext,
  })
  .refine(({ KeySpec, NumberOfBytes }) => (KeySpec === undefined) !== (NumberOfBytes === undefined), {
    message: 'Please specify either number of bytes or key spec.',
  });

const KEY_SPEC_BYTES = { AES_256: 32, AES_128: 16 } as const;

export function generateDataKey(input: Input, keys: KeyRing): Output {
  const { KeySpec, NumberOfBytes = 0, ...rest } = parseKmsInput(GenerateDataKey, input);
  const key = keys.find(rest.KeyId);
  const Plaintext = Uint8Array.from(randomBytes(KeySpec === undefined ? NumberOfBytes : KEY_SPEC_BYTES[KeySpec]));
  return { KeyId: key.arn, Plaintext, CiphertextBlob: keys.seal(key, Plaintext, rest.EncryptionContext) };
}

export function generateDataKeyPermission(input: Input, keys: KeyRing) {
  const { KeyId: name, EncryptionContext: context } = parseKmsInput(GenerateDataKey, input);
  return keyPermission('kms:GenerateDataKey', keys.find(name), context);
}
