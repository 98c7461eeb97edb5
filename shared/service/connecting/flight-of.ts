import type { ConnectAttempt, Flight } from '../../domain/oauth/attempt.ts';
import type { ConnectContext } from './connect-context.ts';
import { otherBrowser, type Problem, unknownAddress } from './connect-outcome.ts';
import { attemptIdIn, hasHash, secretHash } from './connect-secrets.ts';
import { cookieName } from './open-flight.ts';

export interface InFlight {
  attempt: ConnectAttempt;
  flight: Flight;
  /** The value of the flight's cookie. */
  cookie: string;
}

/**
 * The flight of a state, for the browser that has its cookie. `cookiesNamed` gives all values of a name: cookies know no ports, so an
 * endpoint of a component on the same host may have set another one of that name.
 */
export async function flightOf(
  { attempts, users }: Pick<ConnectContext, 'attempts' | 'users'>,
  state: string,
  cookiesNamed: (name: string) => readonly string[],
): Promise<InFlight | Problem> {
  const id = attemptIdIn(state);
  const flight = id === undefined ? undefined : await attempts.findFlight(id, secretHash(state));
  if (id === undefined || !flight) return unknownAddress;
  const cookie = cookiesNamed(cookieName(state)).find((value) => hasHash(value, flight.cookieHash));
  if (cookie === undefined) return otherBrowser;
  const attempt = await attempts.find(id);
  // A user who was deleted meanwhile gets no account.
  if (!attempt || !(await users.find(attempt.ownerId))) return unknownAddress;
  return { attempt, flight, cookie };
}

/** Notes why a flight failed: the attempt says so until the address is opened again. */
export async function refuse(
  { attempts }: Pick<ConnectContext, 'attempts'>,
  { id }: ConnectAttempt,
  refusal: string,
): Promise<void> {
  for (;;) {
    const attempt = await attempts.find(id);
    if (!attempt || attempt.confirmed || (await attempts.change(attempt, { refusal }))) return;
  }
}
