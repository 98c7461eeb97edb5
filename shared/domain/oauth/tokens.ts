/** A provider's answer to a code or to a refresh token, in the words of the standard. */
export interface Tokens {
  accessToken: string;
  /** Absent when the provider keeps the earlier one valid, or gives none. */
  refreshToken?: string | undefined;
  /** Absent when the access token does not expire. */
  expiresInMs?: number | undefined;
  /** Absent when the provider does not say. */
  scopes?: readonly string[] | undefined;
  /** Other fields of the answer that components read, by their names in `$auth`. */
  fields: Readonly<Record<string, string>>;
}

/** `void`: the refresh token or the code will never work again. `passing`: the same request may succeed later. */
export type TokenOutcome =
  | { kind: 'tokens'; tokens: Tokens }
  | { kind: 'void'; reason: string }
  | { kind: 'passing'; reason: string; retryAfterMs?: number | undefined };
