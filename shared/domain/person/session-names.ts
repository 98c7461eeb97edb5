/** Both have the prefix `__Host-` over TLS. */
export const SESSION_COOKIE = 'tributary-session';
export const SIGN_IN_COOKIE = 'tributary-sign-in';

export const CALLBACK_PATH = '/v1/session/callback';
/** The first page after a sign-in, and the page that shows a refusal. */
export const CONSOLE_PATH = '/console';

/** A browser may send cookies of the API to other ports of its host, and so to components: they must not see these. */
export const isSessionCookie = (cookie: string): boolean =>
  /^\s*(?:__Host-)?(?:tributary-session|tributary-sign-in)=/i.test(cookie);
