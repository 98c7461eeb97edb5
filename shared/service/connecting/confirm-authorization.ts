import { STEP_MS } from '../../domain/oauth/sign-in.ts';
import type { ConnectContext } from './connect-context.ts';
import { confirmationOf } from './confirmation-of.ts';
import { type ConnectOutcome, expiredAuthorization, secondUse, unknownAddress } from './connect-outcome.ts';
import { hasHash } from './connect-secrets.ts';
import { authorizationOf, refuse } from './authorization-of.ts';

export interface ConfirmForm {
  state: string;
  /** The secret value of the page. */
  confirmation: string;
  /** Whether another login may take the place of the account's. */
  acceptsOtherLogin: boolean;
  cookiesNamed: (name: string) => readonly string[];
}

/**
 * Stores the account of an authorization whose user said yes. A repeated request of the same page gets the same
 * response.
 */
export async function confirmAuthorization(context: ConnectContext, form: ConfirmForm): Promise<ConnectOutcome> {
  const { clients, users, oauthFunction, now } = context;
  const found = await authorizationOf(context, form.state, form.cookiesNamed);
  if ('kind' in found) return found;
  const { signIn, authorization } = found;
  const { confirmationHash, exchangedAt = 0, login, grantedScopes: granted } = authorization;
  if (confirmationHash === undefined || !hasHash(form.confirmation, confirmationHash)) return secondUse;
  const isConfirmed = signIn.confirmed?.flight === authorization.stateHash;
  if (!isConfirmed && (authorization.status !== 'exchanged' || now() > exchangedAt + STEP_MS))
    return expiredAuthorization;
  const client = await clients.find(signIn.client);
  if (!client) return unknownAddress;
  const { state, confirmation } = form;
  const asked = await confirmationOf(context, { signIn, client, login, granted, state, confirmation });
  if (!isConfirmed && asked.reconnects?.isOtherLogin === true && !form.acceptsOtherLogin)
    return { kind: 'confirm', confirmation: asked };
  const result = await oauthFunction.confirm({ attemptId: signIn.id, stateHash: authorization.stateHash });
  if (result.state === 'refused') {
    await refuse(context, signIn, result.reason);
    return { kind: 'problem', status: 409, title: 'The account was not connected', sentence: result.reason };
  }
  const user = await users.find(signIn.ownerId);
  return { kind: 'connected', app: signIn.app, username: user?.username ?? signIn.ownerId };
}
