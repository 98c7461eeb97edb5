import * as z from 'zod';
import { validation } from './errors.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const EncryptionContext = z.record(z.string(), z.string()).default({});
const algorithm = z.literal('SYMMETRIC_DEFAULT').optional();
/** Kept by the clients of old Smithy versions: absent members arrive as undefined. */
const KeyId = z.string().min(1).max(2048);

/** What each operation takes; members that are no symmetric key's, or need an enclave, are refused by name. */
export const inputs = {
  GenerateDataKey: z
    .strictObject({
      KeyId,
      KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
      NumberOfBytes: z.number().int().min(1).max(1024).optional(),
      EncryptionContext,
    })
    .refine(({ KeySpec, NumberOfBytes }) => (KeySpec === undefined) !== (NumberOfBytes === undefined), {
      message: 'Please specify either number of bytes or key spec.',
    }),
  Encrypt: z.strictObject({
    KeyId,
    Plaintext: bytes.refine((plain) => plain.length >= 1 && plain.length <= 4096, {
      message: 'Member must have length between 1 and 4096, inclusive',
    }),
    EncryptionContext,
    EncryptionAlgorithm: algorithm,
  }),
  Decrypt: z.strictObject({
    KeyId: KeyId.optional(),
    CiphertextBlob: bytes.refine((blob) => blob.length >= 1 && blob.length <= 6144, {
      message: 'Member must have length between 1 and 6144, inclusive',
    }),
    EncryptionContext,
    EncryptionAlgorithm: algorithm,
  }),
} as const;

export type Operation = keyof typeof inputs;
export const isOperation = (name: string): name is Operation => Object.hasOwn(inputs, name);

export function parsed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw validation(
    `1 validation error detected: Value at '${place}' failed to satisfy constraint: ${issue?.message ?? ''}`,
  );
}
