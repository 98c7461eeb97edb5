import * as z from 'zod';

/** Fields with values that must not be readable in the table: credentials of an account, or a signing secret. */
export const SecretFields = z.record(z.string(), z.string());
export type SecretFields = z.infer<typeof SecretFields>;

/** Fields encrypted by a data key, and the data key encrypted by KMS; base64. */
export const SealedFields = z.object({
  dataKey: z.string(),
  nonce: z.string(),
  text: z.string(),
  /** UTC date of a data key that webhooks of the owner share; absent where the object has a data key of its own. */
  day: z.string().optional(),
});
export type SealedFields = z.infer<typeof SealedFields>;
