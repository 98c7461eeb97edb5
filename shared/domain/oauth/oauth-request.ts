import * as z from 'zod';
import { AccountId, SignInId, OAuthClientId } from '../id.ts';
import { identityRequests } from '../person/identity-request.ts';
import { LoginPosition } from './login-position.ts';

const AuthorizationKey = { attemptId: SignInId, stateHash: z.string() };

/** A request to the function `oauth`: it alone decrypts refresh tokens and the secrets of clients. */
export const OAuthRequest = z.discriminatedUnion('kind', [
  /** Renews the account unless its token suffices for a call of this length. */
  z.object({ kind: z.literal('renew'), accountId: AccountId, callMs: z.number() }),
  /** Exchanges the code of an authorization and keeps its tokens until they are confirmed. */
  z.object({
    kind: z.literal('exchange'),
    ...AuthorizationKey,
    code: z.string(),
    /** Absent where the provider takes no PKCE. */
    verifier: z.string().optional(),
    /** Parameters of the callback that components read. */
    callback: z.record(z.string(), z.string()),
    confirmationHash: z.string(),
  }),
  /** Stores the account of an authorization. */
  z.object({ kind: z.literal('confirm'), ...AuthorizationKey }),
  /** Revokes and drops the tokens of an authorization that was not confirmed. */
  z.object({ kind: z.literal('drop'), ...AuthorizationKey }),
  /** Renews the accounts that nothing used for a week, some at a time, in the order of their logins. */
  z.object({ kind: z.literal('renew-idle'), after: LoginPosition.optional() }),
  /** Revokes the tokens of an account that is about to be deleted. */
  z.object({ kind: z.literal('revoke'), accountId: AccountId }),
  /** Asks whether the secret of a client can be decrypted. */
  z.object({ kind: z.literal('check-client'), clientId: OAuthClientId }),
  ...identityRequests,
]);
export type OAuthRequest = z.infer<typeof OAuthRequest>;
export type RequestOf<Kind extends OAuthRequest['kind']> = Extract<OAuthRequest, { kind: Kind }>;

/**
 * `done`: the account says what came of it. `busy`: another renewal of the account is in progress, or the function was
 * not available.
 */
export const RenewalResult = z.object({ state: z.enum(['done', 'busy']) });
export type RenewalResult = z.infer<typeof RenewalResult>;

const Refused = z.object({ state: z.literal('refused'), reason: z.string() });

export const ExchangeResult = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('exchanged'),
    /** The login at the provider; absent when the provider names none. */
    login: z.string().optional(),
    /** Absent when the provider does not say. */
    scopes: z.array(z.string()).optional(),
  }),
  Refused,
]);
export type ExchangeResult = z.infer<typeof ExchangeResult>;

export const ConfirmResult = z.discriminatedUnion('state', [
  z.object({ state: z.literal('connected'), accountId: AccountId }),
  Refused,
]);
export type ConfirmResult = z.infer<typeof ConfirmResult>;

/** `next`: more logins may come after this one. */
export const IdleResult = z.object({ state: z.literal('done'), next: LoginPosition.optional() });
export type IdleResult = z.infer<typeof IdleResult>;

/**
 * `kept`: another account has the same login. `not_revoked`: the tokens may still work at the provider, which is down,
 * has no address for this, or has no client here any more.
 */
export const RevocationResult = z.object({ state: z.enum(['revoked', 'kept', 'not_revoked']) });
export type RevocationResult = z.infer<typeof RevocationResult>;

export const ClientCheck = z.object({ state: z.enum(['usable', 'unreadable', 'gone']) });
export type ClientCheck = z.infer<typeof ClientCheck>;

export const DoneResult = z.object({ state: z.literal('done') });
export type DoneResult = z.infer<typeof DoneResult>;
