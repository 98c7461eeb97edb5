/** A name with this prefix is accepted by browsers only over TLS, from this very host, and for all of its paths. */
const HOST_PREFIX = '__Host-';

const isSecure = (origin: string): boolean => origin.startsWith('https:');

interface HostCookie {
  name: string;
  value: string;
  /** The paths that get it without TLS. With it, all do. */
  path: string;
  maxAgeSeconds: number;
}

/** A `Set-Cookie` for the host of an origin alone. */
export function hostCookie({ name, value, path, maxAgeSeconds }: HostCookie, origin: string): string {
  const common = `HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
  return isSecure(origin)
    ? `${HOST_PREFIX}${name}=${value}; Path=/; Secure; ${common}`
    : `${name}=${value}; Path=${path}; ${common}`;
}

/** All values of a name: a browser sends cookies of the same name and different paths together. */
export const cookieReader =
  (cookies: readonly string[], origin: string) =>
  (name: string): string[] => {
    const start = `${isSecure(origin) ? HOST_PREFIX : ''}${name}=`;
    return cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length));
  };
