import { SESSION_COOKIE, SIGN_IN_COOKIE } from '../../domain/person/session-names.ts';
import { SESSION_MS, SIGN_IN_MS } from '../../domain/person/stored-session.ts';
import { cookieReader, hostCookie } from '../host-cookies.ts';

export const sessionCookie = (token: string, origin: string): string =>
  hostCookie({ name: SESSION_COOKIE, value: token, path: '/', maxAgeSeconds: SESSION_MS / 1_000 }, origin);

export const signInCookie = (value: string, origin: string): string =>
  hostCookie({ name: SIGN_IN_COOKIE, value, path: '/', maxAgeSeconds: SIGN_IN_MS / 1_000 }, origin);

const CLEARED = { value: '', path: '/', maxAgeSeconds: 0 };
export const noSessionCookie = (origin: string): string => hostCookie({ ...CLEARED, name: SESSION_COOKIE }, origin);
export const noSignInCookie = (origin: string): string => hostCookie({ ...CLEARED, name: SIGN_IN_COOKIE }, origin);

/** The token of a session. A browser sends one; of several, one is looked up. */
export const sessionTokenIn = (cookies: readonly string[] | undefined, origin: string): string | undefined =>
  cookies && cookieReader(cookies, origin)(SESSION_COOKIE)[0];

export const signInCookiesIn = (cookies: readonly string[], origin: string): string[] =>
  cookieReader(cookies, origin)(SIGN_IN_COOKIE).slice(0, 2);
