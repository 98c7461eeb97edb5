/** The cookie of an authorization, with a name of its own. */
export interface AuthorizationCookie {
  name: string;
  value: string;
}

/** The question before an account is stored. */
export interface Confirmation {
  /** The user of this service who gets the account. */
  username: string;
  app: string;
  provider: string;
  /** The login at the provider; undefined when the provider names none. */
  login: string | undefined;
  scopes: readonly string[];
  /** Scopes that were asked for and not granted. */
  missingScopes: readonly string[];
  reconnects: { name: string; login: string | undefined; isOtherLogin: boolean } | undefined;
  state: string;
  confirmation: string;
}

/** The response for a browser. Texts are not HTML. */
export type ConnectOutcome =
  | { kind: 'redirect'; location: string; cookie: AuthorizationCookie }
  | { kind: 'confirm'; confirmation: Confirmation }
  | { kind: 'connected'; app: string; username: string }
  | Problem;

export interface Problem {
  kind: 'problem';
  status: 400 | 404 | 409 | 410 | 502;
  title: string;
  sentence: string;
  /** The provider's words, at most 300 characters. */
  words?: string | undefined;
}

const START_AGAIN = 'Start again in the console or with `tributary accounts connect`.';

const problem = (status: Problem['status'], title: string, sentence: string): Problem => ({
  kind: 'problem',
  status,
  title,
  sentence,
});

export const unknownAddress = problem(
  404,
  'This address is not valid',
  `It names no sign-in, or one that ended long ago. ${START_AGAIN}`,
);
export const usedAddress = problem(
  410,
  'This address has been used',
  'It has connected an account, and works only once. You can close this page.',
);
export const expiredAddress = problem(410, 'This address has expired', `It works for 10 minutes. ${START_AGAIN}`);
export const openedTooOften = problem(
  409,
  'This address was opened too often',
  `It can be opened 10 times. ${START_AGAIN}`,
);
export const otherBrowser = problem(
  400,
  'This page belongs to another browser',
  'The sign-in has to end in the browser in which it began, with cookies allowed. Open the address again in this browser, under exactly its host name.',
);
export const secondUse = problem(
  409,
  'This sign-in has come back already',
  'Each sign-in is taken once. If you see no connected account, open the address again.',
);
export const expiredAuthorization = problem(
  410,
  'This sign-in took too long',
  `It has to end within 10 minutes, and be confirmed within 10 more. ${START_AGAIN}`,
);
