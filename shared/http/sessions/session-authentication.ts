import { ServiceError } from '../../domain/errors.ts';
import { scopesOfRole } from '../../domain/person/person.ts';
import { isStale } from '../../domain/person/stored-session.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { isEqual } from '../../service/sessions/pre-session.ts';
import { type CurrentSession, readSession } from '../../service/sessions/read-session.ts';
import type { SessionContext } from '../../service/sessions/session-context.ts';
import { type Caller, type Credentials, unauthenticated } from '../authentication.ts';
import { sessionTokenIn } from './session-cookies.ts';

type AuthenticationContext = Pick<SessionContext, 'readSettings' | 'sessions' | 'users' | 'publicApiUrl' | 'now'>;

/** A suspended or removed user is refused within this time, as its keys are. */
const USER_CACHE_MS = 60_000;

/** Authenticates by a key, or without the header `Authorization` by the cookie of a session. */
export function createSessionAuthenticator(
  byKey: (credentials: Credentials) => Promise<Caller>,
  context: AuthenticationContext,
) {
  const { publicApiUrl, now } = context;
  const found = new TtlCache<string, Awaited<ReturnType<typeof context.users.find>>>({
    ttlMs: USER_CACHE_MS,
    maxEntries: 1_000,
    now,
  });
  const users: AuthenticationContext['users'] = {
    async find(id) {
      const user = found.get(id) ?? (await context.users.find(id));
      if (user) found.set(id, user);
      return user;
    },
  };
  return async (credentials: Credentials): Promise<Caller> => {
    const { authorization, cookies, origin, fetchSite, method, csrf } = credentials;
    const token = authorization === undefined ? sessionTokenIn(cookies, publicApiUrl) : undefined;
    if (token === undefined) return byKey(credentials);
    refuseOtherOrigin({ origin, fetchSite }, publicApiUrl);
    const current = await readSession({ ...context, users }, token);
    if (!current) throw endedSession();
    if (isStale(current.session, now())) throw staleSession();
    if (method !== 'GET' && method !== 'HEAD') checkCsrf(csrf, current);
    return callerOf(current);
  };
}

const callerOf = ({ hash, session, role, user }: CurrentSession): Caller => ({
  userId: user.id,
  apiKey: undefined,
  // Tokens that a person makes end with the first key of the user.
  keyHash: user.keyHash,
  scopes: scopesOfRole(role),
  session: { hash, email: session.person.email, endsAt: session.endsAt },
});

/**
 * Refuses requests of pages of other origins, also of other hosts of the same site, such as those of components.
 * Browsers that send no `Sec-Fetch-Site` send `Origin` with every change.
 */
export function refuseOtherOrigin(
  { origin, fetchSite }: { origin: string | undefined; fetchSite: string | undefined },
  publicApiUrl: string,
): void {
  const isOther = origin !== undefined && origin !== publicApiUrl;
  if (isOther || fetchSite === 'cross-site' || fetchSite === 'same-site')
    throw new ServiceError(
      'forbidden_origin',
      'A session is used by pages of the console only: other pages and programs send an API key.',
    );
}

export function checkCsrf(sent: string | undefined, { session }: Pick<CurrentSession, 'session'>): void {
  if (sent === undefined || !isEqual(sent, session.csrf))
    throw new ServiceError(
      'missing_csrf',
      'A change with a session needs the header x-csrf, with the value of csrf in GET /v1/session.',
    );
}

export const endedSession = () => unauthenticated('Your session has ended: sign in again.');

const staleSession = () =>
  new ServiceError(
    'session_stale',
    'The identity provider was not asked about this session for 15 minutes: call GET /v1/session, and repeat the request.',
  );
