import * as z from 'zod';
import { SessionId } from '../id.ts';
import { Person } from './person.ts';
import { SealedFields } from '../user/sealed-fields.ts';

/** Requests about people who sign in, to the function `oauth`. It reads the settings of sign-in itself. */
export const identityRequests = [
  /** Asks the identity provider for its addresses. */
  z.object({ kind: z.literal('discover'), issuer: z.string() }),
  /** Exchanges the code of a callback. */
  z.object({
    kind: z.literal('identify'),
    session: SessionId,
    /** The query of the callback. */
    query: z.string(),
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
  }),
  /** Asks for the person of a session anew. */
  z.object({ kind: z.literal('confirm-person'), session: SessionId, subject: z.string(), sealed: SealedFields }),
  /** Asks for the address at which the person signs out at the provider, too. */
  z.object({ kind: z.literal('sign-out'), session: SessionId, sealed: SealedFields.optional() }),
] as const;

/** A provider that did not answer, or whose response is not valid. `reason` is a sentence without words of it. */
const Failed = z.object({ state: z.literal('failed'), reason: z.string() });

export const DiscoverResult = z.discriminatedUnion('state', [
  z.object({ state: z.literal('found'), authorization: z.string() }),
  Failed,
]);
export type DiscoverResult = z.infer<typeof DiscoverResult>;

/**
 * `denied`: the provider says that the person may not, or did not want to. `unverified`: it names no address, or one
 * that is not verified. `ended`: it no longer accepts the refresh token.
 */
export const PersonResult = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('identified'),
    /** Absent where a renewal tells nothing new. */
    person: Person.optional(),
    /** The refresh token and the ID token; the refresh token may be absent. */
    sealed: SealedFields.optional(),
    hasRefreshToken: z.boolean(),
    /** The provider told no groups, because they are too many. */
    areGroupsLeftOut: z.boolean(),
  }),
  z.object({ state: z.enum(['denied', 'unverified', 'ended']) }),
  /** `sealed`: tokens that replace those of before. */
  Failed.extend({ sealed: SealedFields.optional() }),
]);
export type PersonResult = z.infer<typeof PersonResult>;

export const SignOutResult = z.object({ state: z.literal('done'), address: z.string().optional() });
export type SignOutResult = z.infer<typeof SignOutResult>;
