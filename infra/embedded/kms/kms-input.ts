import * as z from 'zod';
import { validationException } from '../common-errors.ts';

/** Members that several operations take. */
export const KeyId = z.string().min(1).max(2048);
export const EncryptionContext = z.record(z.string(), z.string()).default({});
export type EncryptionContext = z.output<typeof EncryptionContext>;

/** Refuses members that are unknown, belong to other kinds of keys, or need an enclave. */
export function parseKmsInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw validationException(
    `1 validation error detected: Value at '${path}' failed to satisfy constraint: ${issue?.message ?? ''}`,
  );
}
