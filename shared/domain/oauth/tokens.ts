/** A provider's response to a code or to a refresh token, in the words of the standard. */
export interface Tokens {
  accessToken: string;
  /** Absent when the provider keeps the earlier one valid, or gives none. */
  refreshToken?: string | undefined;
  /** Absent when the access token does not expire. */
  expiresInMs?: number | undefined;
  /** Absent when the provider does not say. */
  scopes?: readonly string[] | undefined;
  /** The login, where this response names it. */
  uid?: string | undefined;
  /** Other fields of the response that components read, by their names in `$auth`. */
  fields: Readonly<Record<string, string>>;
}

/** `void`: the refresh token or the code will never work again. `passing`: the same request may succeed later. */
export type TokenOutcome =
  | { kind: 'tokens'; tokens: Tokens }
  | { kind: 'void'; reason: string }
  | { kind: 'passing'; reason: string; retryAfterMs?: number | undefined };

/** A provider's response to an access token. */
export interface Identity {
  /** The login, where this response names it. */
  uid?: string | undefined;
  /** Fields that components read, by their names in `$auth`. */
  fields: Readonly<Record<string, string>>;
}

/** `refused`: the provider does not accept the access token. */
export type IdentityOutcome =
  | ({ kind: 'identity' } & Identity)
  | { kind: 'refused' }
  | { kind: 'passing'; reason: string };
