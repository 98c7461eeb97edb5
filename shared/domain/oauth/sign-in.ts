import * as z from 'zod';
import { MINUTE_MS, DAY_MS } from '../../lib/durations.ts';
import { AccountId, SignInId, OAuthClientId, UserId } from '../id.ts';
import { SealedFields } from '../user/sealed-fields.ts';

/** Time in which an address may be opened, a login at the provider ends, and an account is confirmed. */
export const STEP_MS = 10 * MINUTE_MS;
/** Time for which a sign-in can be read. */
export const READABLE_MS = DAY_MS;
/** Openings of one address. */
export const MAX_AUTHORIZATIONS = 10;
export const MAX_WAITING_SIGN_INS = 100;

/**
 * One request to connect an account. Its address carries a token of which only the hash is stored. Times are epoch ms.
 */
export const SignIn = z.object({
  id: SignInId,
  ownerId: UserId,
  app: z.string(),
  client: OAuthClientId,
  name: z.string().optional(),
  accountId: AccountId.optional(),
  scopes: z.array(z.string()),
  parameters: z.record(z.string(), z.string()),
  tokenHash: z.string(),
  createdAt: z.number(),
  /** The latest time at which one of its authorizations may go on. */
  waitingUntil: z.number(),
  flights: z.number().int(),
  /** Why the last authorization failed. */
  refusal: z.string().optional(),
  /**
   * The authorization that its user confirmed, when, and the account that it makes; no other authorization can be
   * confirmed.
   */
  confirmed: z.object({ flight: z.string(), accountId: AccountId, at: z.number().optional() }).optional(),
  isConnected: z.boolean().optional(),
  version: z.number().int(),
});
export type SignIn = z.infer<typeof SignIn>;

/**
 * `opened`: the browser is at the provider. `returned`: it came back, once. `exchanged`: the tokens wait for the user's
 * yes. `confirmed`: they become an account. `ended`: they were stored, or are revoked and dropped.
 */
const AuthorizationStatus = z.enum(['opened', 'returned', 'exchanged', 'confirmed', 'ended']);

/** One opening of a sign-in's address, in one browser. */
export const Authorization = z.object({
  attemptId: SignInId,
  /** Hash of its state at the provider. */
  stateHash: z.string(),
  cookieHash: z.string(),
  openedAt: z.number(),
  status: AuthorizationStatus,
  exchangedAt: z.number().optional(),
  /** Hash of the value in the form of its page. */
  confirmationHash: z.string().optional(),
  /** The tokens, until they are confirmed or dropped. */
  tokens: SealedFields.optional(),
  login: z.string().optional(),
  /** Absent when the provider does not say. */
  grantedScopes: z.array(z.string()).optional(),
  version: z.number().int(),
});
export type Authorization = z.infer<typeof Authorization>;

export type SignInStatus = 'waiting' | 'connected' | 'refused' | 'expired';

export function statusOf({ isConnected, refusal, waitingUntil }: SignIn, now: number): SignInStatus {
  if (isConnected === true) return 'connected';
  if (refusal !== undefined) return 'refused';
  return now < waitingUntil ? 'waiting' : 'expired';
}

/** End of the time in which the address of the sign-in may be opened. */
export const openableUntil = ({ createdAt }: SignIn): number => createdAt + STEP_MS;
