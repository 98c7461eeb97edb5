import { networkOf } from '../../shared/domain/network/network-of.ts';
import { CONSOLE_PATH } from '../../shared/domain/person/session-names.ts';
import { finished, one } from '../../shared/http/api-response.ts';
import { type Operation, operation, type Request } from '../../shared/http/http.ts';
import { sessions as routes } from '../../shared/http/routes/session-routes.ts';
import { checkCsrf, endedSession, refuseOtherOrigin } from '../../shared/http/sessions/session-authentication.ts';
import {
  noSessionCookie,
  noSignInCookie,
  sessionCookie,
  sessionTokenIn,
  signInCookie,
  signInCookiesIn,
} from '../../shared/http/sessions/session-cookies.ts';
import { showSession } from '../../shared/http/sessions/show-session.ts';
import type { RefusePausedChange } from '../../shared/service/admission/paused-changes.ts';
import {
  beginSession,
  createFindAuthorization,
  type SignInRefusal,
} from '../../shared/service/sessions/begin-session.ts';
import { confirmSession } from '../../shared/service/sessions/confirm-session.ts';
import { endPersonSession } from '../../shared/service/sessions/end-session.ts';
import { finishSession } from '../../shared/service/sessions/finish-session.ts';
import { currentSession, readSession } from '../../shared/service/sessions/read-session.ts';
import type { SessionContext } from '../../shared/service/sessions/session-context.ts';

type Context = SessionContext & { refusePausedChange: RefusePausedChange };

/** The operations on sessions of people, which are served with those on accounts. */
export const sessionOperations = (context: Context) => {
  const { publicApiUrl, users, readSettings } = context;
  const beginning = { ...context, findAuthorization: createFindAuthorization(context) };

  /** The session of the request's cookie. A page of another origin must not have it. */
  async function sessionOf({ cookies, header }: Pick<Request, 'cookies' | 'header'>) {
    const token = sessionTokenIn(cookies, publicApiUrl);
    if (token === undefined) return undefined;
    refuseOtherOrigin({ origin: header('origin'), fetchSite: header('sec-fetch-site') }, publicApiUrl);
    return readSession(context, token);
  }

  const goTo = (location: string) =>
    finished({ statusCode: 302, headers: { location, 'referrer-policy': 'no-referrer' } });
  const refused = (code: SignInRefusal) => goTo(`${publicApiUrl}${CONSOLE_PATH}?sign_in=${code}`);

  return {
    getSession: operation(routes.getSession, async (request) => {
      const found = await sessionOf(request);
      const session = found && (await confirmSession(context, found.hash, found.session));
      const current = session && found && (await currentSession(context, found.hash, session));
      return one(await showSession({ users, publicApiUrl }, await readSettings(), current));
    }),

    signIn: operation(routes.signIn, async ({ input: { return_to: returnTo, user }, setCookie }) => {
      const started = await beginSession(beginning, { returnTo, user });
      if (typeof started === 'string') return refused(started);
      setCookie(signInCookie(started.cookie, publicApiUrl));
      return goTo(started.location);
    }),

    handleSignIn: operation(routes.handleSignIn, async ({ rawQuery: query, cookies, clientIp, setCookie }) => {
      const isPaused = await context.refusePausedChange().then(
        () => false,
        () => true,
      );
      if (isPaused) return refused('unavailable');
      const signedIn = await finishSession(context, {
        query,
        cookies: signInCookiesIn(cookies, publicApiUrl),
        before: sessionTokenIn(cookies, publicApiUrl),
        network: networkOf(clientIp),
      });
      // A callback that any page can cause must not end the sign-in under way.
      if (signedIn !== 'expired') setCookie(noSignInCookie(publicApiUrl));
      if (typeof signedIn === 'string') return refused(signedIn);
      setCookie(sessionCookie(signedIn.token, publicApiUrl));
      return goTo(`${publicApiUrl}${signedIn.returnTo}`);
    }),

    signOut: operation(routes.signOut, async (request) => {
      const current = await sessionOf(request);
      if (!current) throw endedSession();
      checkCsrf(request.header('x-csrf'), current);
      const address = await endPersonSession(context, current);
      request.setCookie(noSessionCookie(publicApiUrl));
      return one({ sign_out_url: address ?? null });
    }),
  } satisfies Record<keyof typeof routes, Operation>;
};
