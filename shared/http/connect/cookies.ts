import type { AuthorizationCookie } from '../../service/connecting/connect-outcome.ts';

/** The longest life of an authorization: 10 minutes at the provider, and 10 for the confirmation. */
const MAX_AGE_SECONDS = 20 * 60;

/** A name with this prefix is accepted by browsers only over TLS, from this very host, and for all of its paths. */
const HOST_PREFIX = '__Host-';

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/** The `Set-Cookie` of an authorization. */
export const authorizationCookie = ({ name, value }: AuthorizationCookie, origin: string): string =>
  isSecure(origin)
    ? `${HOST_PREFIX}${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}`
    : `${name}=${value}; Path=/connect; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}`;

/** All values of a name: a browser sends cookies of the same name and different paths together. */
export const cookieReader =
  (cookies: readonly string[], origin: string) =>
  (name: string): string[] => {
    const start = `${isSecure(origin) ? HOST_PREFIX : ''}${name}=`;
    return cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length));
  };
