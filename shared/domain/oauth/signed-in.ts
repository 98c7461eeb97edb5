import * as z from 'zod';
import type { AccountFields } from '../account/account.ts';
import { OAuthClientId } from '../id.ts';
import type { OAuthGrant } from '../account/grant.ts';
import type { ResolvedClient } from './resolved-client.ts';
import type { Identity, Tokens } from './tokens.ts';
import { textAt, textsAt } from './value-at.ts';

/** The result of a sign-in, kept until its user confirms it. Times are epoch ms. */
export const SignedIn = z.object({
  client: OAuthClientId,
  clientId: z.string(),
  uid: z.string().optional(),
  scopes: z.array(z.string()),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
  /** By the names in `$auth`. */
  fields: z.record(z.string(), z.string()),
});
export type SignedIn = z.infer<typeof SignedIn>;

interface Responses {
  client: OAuthClientId;
  tokens: Tokens;
  identity: Identity | undefined;
  /** Parameters of the callback that the entry names. */
  callback: Readonly<Record<string, string>>;
  /** Values of the placeholders. */
  parameters: Readonly<Record<string, string>>;
  scopes: readonly string[];
  now: number;
}

export function signedIn(
  { clientId, provider }: ResolvedClient,
  { client, tokens, identity, callback, parameters, scopes, now }: Responses,
): SignedIn {
  const known = { callback, parameter: parameters };
  const uid = identity?.uid ?? tokens.uid ?? (provider.uid === undefined ? undefined : textAt(known, provider.uid));
  const placeholders = Object.entries(provider.placeholders ?? {}).flatMap(([name, { field }]) => {
    const value = parameters[name];
    return value === undefined ? [] : [[field, value] as const];
  });
  return {
    client,
    clientId,
    uid,
    scopes: [...(tokens.scopes ?? scopes)],
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    obtainedAt: now,
    expiresAt: tokens.expiresInMs === undefined ? undefined : now + tokens.expiresInMs,
    fields: {
      ...Object.fromEntries(placeholders),
      ...textsAt(known, provider.fields),
      ...identity?.fields,
      ...tokens.fields,
    },
  };
}

/** All fields that the provider fills. Never the refresh token or the client's secret. */
export const providedFields = ({ fields, accessToken, clientId, uid, scopes }: SignedIn): AccountFields => ({
  ...fields,
  oauth_access_token: accessToken,
  oauth_client_id: clientId,
  ...(uid === undefined ? {} : { oauth_uid: uid }),
  oauth_scopes: scopes.join(' '),
});

/** The grant of a new sign-in. Nothing of an earlier one stays, so a renewal in progress ends. */
export const grantOf = (
  signed: SignedIn,
  { parameters, renewal, now }: Pick<OAuthGrant, 'parameters' | 'renewal'> & { now: number },
): OAuthGrant => ({
  client: signed.client,
  clientId: signed.clientId,
  ...(signed.uid === undefined ? {} : { uid: signed.uid }),
  scopes: signed.scopes,
  parameters,
  providedFields: Object.keys(providedFields(signed)).sort(),
  status: 'connected',
  connectedAt: now,
  renewedAt: signed.obtainedAt,
  ...(signed.expiresAt === undefined ? {} : { expiresAt: signed.expiresAt }),
  ...(renewal === undefined ? {} : { renewal }),
});
