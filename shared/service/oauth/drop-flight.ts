import type { DoneResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import { SignedIn } from '../../domain/oauth/signed-in.ts';
import { attemptInFlight, type SignInContext } from './sign-in-context.ts';
import { isLoginInUse } from './login-in-use.ts';
import { storeSignIn } from './store-sign-in.ts';

const DONE: DoneResult = { state: 'done' };

/**
 * Revokes and drops the tokens of a flight that nobody confirmed in time. The flight ends first, so that nobody confirms tokens that are
 * revoked; a repetition after a crash revokes them again.
 */
export async function dropFlight(context: SignInContext, request: RequestOf<'drop'>): Promise<DoneResult> {
  const { attempts, openClient, requests, vault } = context;
  const found = await attemptInFlight(context, request);
  if (!found) return DONE;
  const { attempt, flight } = found;
  if (flight.status === 'confirmed') {
    // The process that stored the account died.
    await storeSignIn(context, { ...request, kind: 'confirm' });
    return DONE;
  }
  if (flight.tokens === undefined) return DONE;
  const ended = flight.status === 'ended' ? flight : await attempts.changeFlight(flight, { status: 'ended' });
  // Changed meanwhile: by a confirmation, or by another drop. The caller repeats this.
  if (!ended) throw new Error('The flight was changed meanwhile');
  const { id, ownerId, parameters } = attempt;
  const opened = await vault.open({ id, ownerId, sealed: flight.tokens });
  const signed = SignedIn.parse(JSON.parse(opened['signed_in'] ?? ''));
  const client = await openClient({ client: attempt.client, ownerId, parameters });
  if (client && !(await isLoginInUse(context, signed))) await requests.revoke(client, signed);
  await attempts.changeFlight(ended, { tokens: undefined });
  return DONE;
}
