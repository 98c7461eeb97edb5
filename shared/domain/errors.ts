/** What went wrong, in the domain's words. Each edge (HTTP, queue) decides what to do about a kind. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable'
  | 'failed';

/** One wrong place in a request: `path` dotted from the root of the body, or the parameter's name. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Every code an answer can carry. `docs/errors.md` explains each; a test compares the two. */
export type ErrorCode = (typeof errorCodes)[number];
export const errorCodes = [
  'malformed_json',
  'invalid_request',
  'invalid_cursor',
  'invalid_url',
  'too_deep',
  'build_failed',
  'load_failed',
  'load_timeout',
  'configure_failed',
  'hook_failed',
  'unauthenticated',
  'not_found',
  'method_not_allowed',
  'limit_reached',
  'source_busy',
  'too_large',
  'unsupported_media_type',
  'quota_exceeded',
  'lagging',
  'run_failed',
  'no_response',
  'still_building',
  'registry_unavailable',
  'unavailable',
  'internal',
] as const;

/** The only error whose message a caller may see. Anything else is a bug and stays in the log. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  /** Stable and documented: clients branch on this, never on `message`. */
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The methods of a path that was asked with another one. */
  readonly allow: readonly string[] | undefined;

  constructor(
    kind: ErrorKind,
    code: ErrorCode,
    message: string,
    {
      details,
      retryAfterSeconds,
      allow,
      ...options
    }: ErrorOptions & {
      details?: readonly ErrorDetail[];
      retryAfterSeconds?: number;
      allow?: readonly string[];
    } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
  }
}
