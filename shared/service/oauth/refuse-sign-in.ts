import type { AccountId } from '../../domain/id.ts';
import type { SignedIn } from '../../domain/oauth/signed-in.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { revokeAuthorization } from './revoke-authorization.ts';
import type { SignInWithAuthorization, SignInContext } from './sign-in-context.ts';

interface Confirmed extends SignInWithAuthorization {
  accountId: AccountId;
  signed: SignedIn;
}

/**
 * Ends a confirmed sign-in whose account cannot be stored: its sign-in is refused, its address may be opened again, and
 * its tokens are revoked. The authorization ends first: when the process dies after that, the tokens are revoked by the
 * message that drops unconfirmed ones.
 */
export async function refuseSignIn(
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
