import type { IdentityOutcome, ToldTokens } from '../../aws/identity/identity-provider.ts';
import type { SessionId } from '../../domain/id.ts';
import type { DiscoverResult, PersonResult, SignOutResult } from '../../domain/person/identity-request.ts';
import type { RequestOf } from '../../domain/oauth/oauth-request.ts';
import { areGroupsLeftOut, personIn } from '../../domain/person/person.ts';
import { CALLBACK_PATH, CONSOLE_PATH } from '../../domain/person/session-names.ts';
import type { SealedFields } from '../../domain/user/sealed-fields.ts';
import { type CurrentClient, currentClient, type IdentityContext } from './identity-context.ts';

const NO_SETTINGS = { state: 'failed', reason: 'There are no settings of sign-in.' } as const;

/** Longer ones would make the item of a session too large. */
const LONGEST_TOKEN = 16 * 1024;

export const discoverProvider = (
  { identityProvider }: Pick<IdentityContext, 'identityProvider'>,
  { issuer }: RequestOf<'discover'>,
): Promise<DiscoverResult> => identityProvider.discover(issuer);

/** Exchanges the code of a callback for the claims of a person. */
export async function identifyPerson(context: IdentityContext, request: RequestOf<'identify'>): Promise<PersonResult> {
  const current = await currentClient(context);
  if (!current) return NO_SETTINGS;
  const redirectUri = `${context.publicApiUrl}${CALLBACK_PATH}`;
  const { session, query, state, nonce, verifier } = request;
  const callback = { query, state, nonce, verifier, redirectUri };
  const outcome = await context.identityProvider.exchange(current.client, callback);
  const result = await personOf(context, current, { session, outcome });
  return result.state === 'identified' && result.person === undefined ? { state: 'unverified' } : result;
}

/** Asks for the claims of a person with the refresh token of its session. */
export async function confirmPerson(
  context: IdentityContext,
  { session, subject, sealed }: RequestOf<'confirm-person'>,
): Promise<PersonResult> {
  const current = await currentClient(context);
  if (!current) return NO_SETTINGS;
  const { refresh_token: refreshToken, id_token: idToken } = await context.vault.decrypt({
    ...holder(session),
    sealed,
  });
  if (refreshToken === undefined) return { state: 'ended' };
  const outcome = await context.identityProvider.refresh(current.client, { refreshToken, idToken, subject });
  return personOf(context, current, { session, outcome });
}

const holder = (id: SessionId) => ({ id, ownerId: 'operator' }) as const;

async function personOf(
  context: IdentityContext,
  { settings }: CurrentClient,
  { session, outcome }: { session: SessionId; outcome: IdentityOutcome },
): Promise<PersonResult> {
  if (outcome.kind === 'denied' || outcome.kind === 'ended') return { state: outcome.kind };
  const { tokens } = outcome;
  const sealed = tokens && (await sealedTokens(context, session, tokens));
  if (outcome.kind === 'failed') return { state: 'failed', reason: outcome.reason, sealed };
  const person = outcome.claims && personIn(outcome.claims, settings);
  if (outcome.claims && !person) return { state: 'unverified' };
  return {
    state: 'identified',
    person,
    sealed,
    hasRefreshToken: isKept(outcome.tokens.refreshToken),
    areGroupsLeftOut: outcome.claims !== undefined && areGroupsLeftOut(outcome.claims, settings),
  };
}

const isKept = (token: string | undefined): token is string => token !== undefined && token.length <= LONGEST_TOKEN;

async function sealedTokens(
  { vault }: IdentityContext,
  session: SessionId,
  { refreshToken, idToken }: ToldTokens,
): Promise<SealedFields | undefined> {
  const fields = {
    ...(isKept(refreshToken) ? { refresh_token: refreshToken } : {}),
    ...(isKept(idToken) ? { id_token: idToken } : {}),
  };
  return Object.keys(fields).length === 0 ? undefined : vault.encrypt(holder(session), fields);
}

export async function signOutAddressOf(
  context: IdentityContext,
  { session, sealed }: RequestOf<'sign-out'>,
): Promise<SignOutResult> {
  const current = await currentClient(context);
  if (!current) return { state: 'done' };
  const fields = sealed && (await context.vault.decrypt({ ...holder(session), sealed }));
  const address = await context.identityProvider.signOutAddress(current.client, {
    idToken: fields?.['id_token'],
    returnTo: `${context.publicApiUrl}${CONSOLE_PATH}`,
  });
  return { state: 'done', address };
}
