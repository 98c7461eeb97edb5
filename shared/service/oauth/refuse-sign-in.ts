import type { AccountId } from '../../domain/id.ts';
import type { SignedIn } from '../../domain/oauth/signed-in.ts';
import { revokeFlight } from './revoke-flight.ts';
import type { AttemptInFlight, SignInContext } from './sign-in-context.ts';

interface Confirmed extends AttemptInFlight {
  accountId: AccountId;
  signed: SignedIn;
}

/**
 * Ends a confirmed sign-in whose account cannot be stored: its attempt is refused, its address may be opened again, and its tokens are
 * revoked. The flight ends first: when the process dies after that, the tokens are revoked by the message that drops unconfirmed ones.
 */
export async function refuseSignIn(
  context: SignInContext,
  { attempt: { id }, flight, accountId, signed }: Confirmed,
  refusal: string,
): Promise<void> {
  const { accounts, attempts, logins } = context;
  const ended = await attempts.changeFlight(flight, { status: 'ended' });
  // Another confirmation of the same flight goes on.
  if (!ended) return;
  for (;;) {
    const attempt = await attempts.find(id);
    if (!attempt || attempt.isConnected === true || attempt.confirmed?.flight !== flight.stateHash) break;
    if (await attempts.change(attempt, { confirmed: undefined, refusal })) break;
  }
  // Stored meanwhile by another confirmation of the same flight.
  if (await accounts.find(accountId)) return;
  await logins.remove(signed, accountId);
  const attempt = await attempts.find(id);
  if (attempt) await revokeFlight(context, attempt, ended);
}
