import { STEP_MS } from '../../domain/oauth/attempt.ts';
import type { ConnectContext } from './connect-context.ts';
import { confirmationOf } from './confirmation-of.ts';
import { type ConnectOutcome, expiredFlight, secondUse, unknownAddress } from './connect-outcome.ts';
import { hasHash } from './connect-secrets.ts';
import { flightOf, refuse } from './flight-of.ts';

export interface ConfirmForm {
  state: string;
  /** The value of the page, which nobody else has. */
  confirmation: string;
  /** Whether another login may take the place of the account's. */
  acceptsOtherLogin: boolean;
  cookiesNamed: (name: string) => readonly string[];
}

/** Stores the account of a flight whose user said yes. A repeated request of the same page gets the same response. */
export async function confirmFlight(context: ConnectContext, form: ConfirmForm): Promise<ConnectOutcome> {
  const { clients, users, signIns, now } = context;
  const found = await flightOf(context, form.state, form.cookiesNamed);
  if ('kind' in found) return found;
  const { attempt, flight } = found;
  const { confirmationHash, exchangedAt = 0, login, grantedScopes: granted } = flight;
  if (confirmationHash === undefined || !hasHash(form.confirmation, confirmationHash)) return secondUse;
  const isConfirmed = attempt.confirmed?.flight === flight.stateHash;
  if (!isConfirmed && (flight.status !== 'exchanged' || now() > exchangedAt + STEP_MS)) return expiredFlight;
  const client = await clients.find(attempt.client);
  if (!client) return unknownAddress;
  const { state, confirmation } = form;
  const asked = await confirmationOf(context, { attempt, client, login, granted, state, confirmation });
  if (!isConfirmed && asked.reconnects?.isOtherLogin === true && !form.acceptsOtherLogin)
    return { kind: 'confirm', confirmation: asked };
  const result = await signIns.confirm({ attemptId: attempt.id, stateHash: flight.stateHash });
  if (result.state === 'refused') {
    await refuse(context, attempt, result.reason);
    return { kind: 'problem', status: 409, title: 'The account was not connected', sentence: result.reason };
  }
  const user = await users.find(attempt.ownerId);
  return { kind: 'connected', app: attempt.app, username: user?.username ?? attempt.ownerId };
}
