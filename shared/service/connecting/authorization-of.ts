import type { SignIn, Authorization } from '../../domain/oauth/sign-in.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { ConnectContext } from './connect-context.ts';
import { otherBrowser, type Problem, unknownAddress } from './connect-outcome.ts';
import { signInIdIn, hasHash, secretHash } from './connect-secrets.ts';
import { cookieName } from './begin-authorization.ts';

export interface BrowserAuthorization {
  signIn: SignIn;
  authorization: Authorization;
  cookie: string;
}

/**
 * The authorization of a state, for the browser that has its cookie. `cookiesNamed` gives all values of a name: cookies
 * know no ports, so an endpoint of a component on the same host may have set another one of that name.
 */
export async function authorizationOf(
  { signIns, users }: Pick<ConnectContext, 'signIns' | 'users'>,
  state: string,
  cookiesNamed: (name: string) => readonly string[],
): Promise<BrowserAuthorization | Problem> {
  const id = signInIdIn(state);
  const authorization = id === undefined ? undefined : await signIns.findAuthorization(id, secretHash(state));
  if (id === undefined || !authorization) return unknownAddress;
  const cookie = cookiesNamed(cookieName(state)).find((value) => hasHash(value, authorization.cookieHash));
  if (cookie === undefined) return otherBrowser;
  const signIn = await signIns.find(id);
  // A user who was deleted meanwhile gets no account.
  if (!signIn || !(await users.find(signIn.ownerId))) return unknownAddress;
  return { signIn, authorization, cookie };
}

/** Stores why an authorization failed. The sign-in has the reason until its address is opened again. */
export async function refuse(
  { signIns }: Pick<ConnectContext, 'signIns'>,
  { id }: SignIn,
  refusal: string,
): Promise<void> {
  await changeCurrent({
    find: () => signIns.find(id),
    write: async (signIn) => signIn.confirmed ?? signIns.change(signIn, { refusal }),
  });
}
