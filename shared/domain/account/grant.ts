import * as z from 'zod';
import { OAuthClientId } from '../id.ts';
import { SealedFields } from '../user/sealed-fields.ts';

/** `expiring`: the last renewal failed for a passing reason. `needs_reconnect`: only a new sign-in helps. */
const AccountStatus = z.enum(['connected', 'expiring', 'needs_reconnect']);

/** Right to renew the tokens of an account. Only one function holds it, and it ends by itself. */
const RenewalLease = z.object({ holder: z.string(), until: z.number() });

/**
 * The result of a sign-in at an OAuth 2 provider. Times are epoch ms. The access token is among the account's sealed
 * fields.
 */
export const OAuthGrant = z.object({
  client: OAuthClientId,
  /** Its id at the provider at the time of the sign-in: tokens of another client id cannot be renewed. */
  clientId: z.string(),
  uid: z.string().optional(),
  /** Granted, or asked for when the provider does not say. */
  scopes: z.array(z.string()),
  /** Values of the placeholders in the provider's addresses. */
  parameters: z.record(z.string(), z.string()),
  /** Names of the account's fields that the provider fills. */
  providedFields: z.array(z.string()),
  status: AccountStatus,
  /** One sentence, for every status but `connected`. */
  statusReason: z.string().optional(),
  connectedAt: z.number(),
  /** Time of the last token response. */
  renewedAt: z.number(),
  /** Absent for an access token that does not expire. */
  expiresAt: z.number().optional(),
  /**
   * The refresh token, sealed so that only the function that renews can decrypt it. Absent when the provider gave none.
   */
  renewal: SealedFields.optional(),
  lease: RenewalLease.optional(),
  /** Renewals in a row that failed for a passing reason, and the earliest time of the next one. */
  failures: z.number().int().optional(),
  retryAt: z.number().optional(),
  /** A run with this access token ended by status 401. */
  isRefused: z.boolean().optional(),
  /** Time of the last renewal because of a status 401. */
  refusalRenewedAt: z.number().optional(),
});
export type OAuthGrant = z.infer<typeof OAuthGrant>;
