import type { DoneResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import { revokeFlight } from './revoke-flight.ts';
import { attemptInFlight, type SignInContext } from './sign-in-context.ts';
import { storeSignIn } from './store-sign-in.ts';

const DONE: DoneResult = { state: 'done' };

/** Revokes and drops the tokens of a flight that nobody confirmed in time. */
export async function dropFlight(context: SignInContext, request: RequestOf<'drop'>): Promise<DoneResult> {
  const { attempts } = context;
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
  await revokeFlight(context, attempt, ended);
  return DONE;
}
