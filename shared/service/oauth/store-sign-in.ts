import type { Account } from '../../domain/account/account.ts';
import { ServiceError } from '../../domain/errors.ts';
import { AccountId, newId } from '../../domain/id.ts';
import type { SignIn, Authorization } from '../../domain/oauth/sign-in.ts';
import type { ConfirmResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import { grantOf, providedFields, SignedIn } from '../../domain/oauth/signed-in.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { storeAccount } from '../accounts/store-account.ts';
import { type SignInWithAuthorization, signInWithAuthorization, type SignInContext } from './sign-in-context.ts';
import { revokeAuthorization } from './revoke-authorization.ts';

const refused = (reason: string): ConfirmResult => ({ state: 'refused', reason });

const OTHER_FIRST = 'Another sign-in of the same address was confirmed first.';
const GONE = 'The sign-in has ended, and its tokens were dropped. Start again.';
const DELETED = 'The account was deleted meanwhile. Start again without it.';

/**
 * Stores the account of an authorization that its user confirmed. The first authorization of a sign-in claims it with
 * the id of the account, so that a repetition after a crash stores the same account.
 */
export async function storeSignIn(context: SignInContext, request: RequestOf<'confirm'>): Promise<ConfirmResult> {
  const { waiting, vault, now } = context;
  const claimed = await claim(context, request);
  if ('state' in claimed) return claimed;
  const { signIn, authorization, accountId } = claimed;
  if (signIn.isConnected === true) return { state: 'connected', accountId };
  if (authorization.tokens === undefined) return refused(GONE);
  const { id, ownerId } = signIn;
  const decrypted = await vault.decrypt({ id, ownerId, sealed: authorization.tokens });
  const signed = SignedIn.parse(JSON.parse(decrypted['signed_in'] ?? ''));
  const refusal =
    signIn.accountId === undefined
      ? await addAccount(context, signIn, { accountId, signed })
      : await reconnect(context, signIn, { accountId, signed });
  if (refusal !== undefined) {
    await refuseSignIn(context, { signIn, authorization, accountId, signed }, refusal);
    return refused(refusal);
  }
  await end(context, signIn, authorization);
  await waiting.release(ownerId, id, now());
  return { state: 'connected', accountId };
}

interface Claimed {
  signIn: SignIn;
  authorization: Authorization;
  accountId: AccountId;
}

async function claim(context: SignInContext, request: RequestOf<'confirm'>): Promise<Claimed | ConfirmResult> {
  const { signIns, random, now } = context;
  const claimed = await changeCurrent<SignInWithAuthorization, Claimed | ConfirmResult>({
    find: () => signInWithAuthorization(context, request),
    write: async ({ signIn, authorization }) => {
      const { confirmed } = signIn;
      if (confirmed && confirmed.flight !== authorization.stateHash) return refused(OTHER_FIRST);
      if (confirmed && (authorization.status === 'confirmed' || signIn.isConnected === true))
        return { signIn, authorization, accountId: confirmed.accountId };
      if (authorization.status !== 'exchanged') return refused(GONE);
      const accountId = confirmed?.accountId ?? signIn.accountId ?? AccountId.parse(newId('account', now(), random));
      const marked = confirmed
        ? signIn
        : await signIns.change(signIn, {
            confirmed: { flight: authorization.stateHash, accountId, at: now() },
          });
      // A confirmed authorization keeps its tokens.
      const kept = marked && (await signIns.changeAuthorization(authorization, { status: 'confirmed' }));
      return marked && kept && { signIn: marked, authorization: kept, accountId };
    },
  });
  return claimed ?? refused(GONE);
}

interface Connecting {
  accountId: AccountId;
  signed: SignedIn;
}

/** Returns why the account cannot be stored. */
async function addAccount(
  context: SignInContext,
  { ownerId, app, name, parameters }: SignIn,
  { accountId: id, signed }: Connecting,
): Promise<string | undefined> {
  const { accounts, logins, vault, renewDaily, now } = context;
  // An earlier confirmation of the same authorization died after this.
  if (await accounts.find(id)) return undefined;
  await renewDaily();
  await logins.add(signed, id);
  const fields = providedFields(signed);
  const account = {
    id,
    ownerId,
    app,
    fieldNames: Object.keys(fields).sort(),
    sealed: await vault.encrypt({ id, ownerId }, fields),
    createdAt: now(),
    oauth: grantOf(signed, {
      parameters,
      renewal: await sealedRenewal(context, { id, ownerId }, signed),
      now: now(),
    }),
    version: 0,
  };
  try {
    await storeAccount(accounts, account, { name: name ?? app, whenTaken: 'number' });
  } catch (error) {
    // Another confirmation of the same authorization was faster.
    if (await accounts.find(id)) return undefined;
    if (error instanceof ServiceError && error.code === 'limit_reached') return error.message;
    throw error;
  }
  return undefined;
}

/** Its own fields stay. Returns why the account cannot be stored. */
async function reconnect(
  context: SignInContext,
  { parameters, confirmed }: SignIn,
  { accountId, signed }: Connecting,
): Promise<string | undefined> {
  const { accounts, logins, vault, now } = context;
  await logins.add(signed, accountId);
  const stored = await changeCurrent({
    find: () => accounts.find(accountId),
    write: async (account) => {
      const { id, ownerId, oauth: before } = account;
      // Connected after the user's yes: by an earlier confirmation of the same authorization, which died after this, or
      // by a later sign-in. Its tokens may have been renewed since, which makes those of the authorization void.
      if (before && confirmed?.at !== undefined && before.connectedAt >= confirmed.at) return account;
      const replaced = new Set(before?.providedFields);
      const own = Object.entries(await vault.decrypt(account)).filter(([name]) => !replaced.has(name));
      const fields = { ...Object.fromEntries(own), ...providedFields(signed) };
      const changed = await accounts.change(account, {
        fieldNames: Object.keys(fields).sort(),
        sealed: await vault.encrypt({ id, ownerId }, fields),
        oauth: grantOf(signed, {
          parameters,
          renewal: await sealedRenewal(context, account, signed),
          now: now(),
        }),
      });
      if (changed && before && (before.uid !== signed.uid || before.client !== signed.client))
        await logins.remove(before, id);
      return changed;
    },
  });
  return stored ? undefined : DELETED;
}

const sealedRenewal = async (
  { vault }: SignInContext,
  { id, ownerId }: Pick<Account, 'id' | 'ownerId'>,
  { refreshToken }: SignedIn,
) =>
  refreshToken === undefined
    ? undefined
    : vault.encrypt({ id, ownerId, part: 'renewal' }, { refresh_token: refreshToken });

async function end({ signIns }: SignInContext, { id }: SignIn, { stateHash }: Authorization): Promise<void> {
  await changeCurrent({
    find: () => signIns.find(id),
    write: async (signIn) =>
      signIn.isConnected === true || signIns.change(signIn, { isConnected: true, refusal: undefined }),
  });
  const authorization = await signIns.findAuthorization(id, stateHash);
  if (authorization?.tokens) await signIns.changeAuthorization(authorization, { status: 'ended', tokens: undefined });
}

interface Confirmed extends SignInWithAuthorization {
  accountId: AccountId;
  signed: SignedIn;
}

/**
 * Ends a confirmed sign-in whose account cannot be stored: its sign-in is refused, its address may be opened again, and
 * its tokens are revoked. The authorization ends first: when the process dies after that, the tokens are revoked by the
 * message that drops unconfirmed ones.
 */
async function refuseSignIn(
  context: SignInContext,
  { signIn: { id }, authorization, accountId, signed }: Confirmed,
  refusal: string,
): Promise<void> {
  const { accounts, signIns, logins } = context;
  const ended = await signIns.changeAuthorization(authorization, { status: 'ended' });
  // Another confirmation of the same authorization has changed it and continues.
  if (!ended) return;
  await changeCurrent({
    find: () => signIns.find(id),
    write: async (signIn) =>
      signIn.isConnected === true ||
      signIn.confirmed?.flight !== authorization.stateHash ||
      signIns.change(signIn, { confirmed: undefined, refusal }),
  });
  // Stored meanwhile by another confirmation of the same authorization.
  if (await accounts.find(accountId)) return;
  await logins.remove(signed, accountId);
  const signIn = await signIns.find(id);
  if (signIn) await revokeAuthorization(context, signIn, ended);
}
