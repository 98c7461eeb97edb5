import * as z from 'zod';
import { AccountId } from '../id.ts';

/** A request to the function that renews. */
export const OAuthRequest = z.discriminatedUnion('kind', [
  /** Renews the account unless its token suffices for a call of this length. */
  z.object({ kind: z.literal('renew'), accountId: AccountId, callMs: z.number() }),
]);
export type OAuthRequest = z.infer<typeof OAuthRequest>;

/** `done`: the account says what came of it. `busy`: another renewal of the account is in progress. */
export const RenewalResult = z.object({ state: z.enum(['done', 'busy']) });
export type RenewalResult = z.infer<typeof RenewalResult>;
