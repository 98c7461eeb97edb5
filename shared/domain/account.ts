import * as z from 'zod';
import { AccountId, UserId } from './id.ts';

/** What a connected account holds: tokens, keys, addresses, by the names that its app's components ask for. */
export const AccountFields = z.record(z.string(), z.string());
export type AccountFields = z.infer<typeof AccountFields>;

/** Fields under a data key of their own, and that key under the one that the cloud keeps; base64. */
export const SealedFields = z.object({ dataKey: z.string(), nonce: z.string(), text: z.string() });
export type SealedFields = z.infer<typeof SealedFields>;

/** A connected account as it rests. */
export const Account = z.object({
  id: AccountId,
  ownerId: UserId,
  /** Slug of the app, as components name it. */
  app: z.string(),
  fieldNames: z.array(z.string()),
  sealed: SealedFields,
  createdAt: z.number(),
});
export type Account = z.infer<typeof Account>;

/** How a source's app prop names one. */
export const AccountReference = z.object({ authProvisionId: AccountId });
export type AccountReference = z.infer<typeof AccountReference>;

/** Serialised; also what one item can hold. */
export const LARGEST_FIELDS_BYTES = 64 * 1024;
