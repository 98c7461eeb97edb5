/** Kind of an error. HTTP maps it to a status, queues to a retry decision. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable'
  | 'failed';

/** One problem of a request. `path` is the dotted path in the body, or the parameter's name. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** All error codes of the API, documented in `docs/errors.md`; a test compares the two. */
export type ErrorCode = (typeof errorCodes)[number];
export const errorCodes = [
  'malformed_request',
  'malformed_json',
  'invalid_request',
  'invalid_cursor',
  'invalid_url',
  'too_deep',
  'too_many_values',
  'build_failed',
  'load_failed',
  'load_timeout',
  'configure_failed',
  'hook_failed',
  'account_expired',
  'unauthenticated',
  'wrong_signature',
  'suspended',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'limit_reached',
  'source_busy',
  'name_taken',
  'no_oauth_client',
  'account_in_use',
  'webhook_inactive',
  'event_expired',
  'not_redeliverable',
  'too_large',
  'unsupported_media_type',
  'headers_too_large',
  'not_implemented',
  'quota_exceeded',
  'storage_full',
  'lagging',
  'rate_exceeded',
  'overloaded',
  'throttled',
  'too_many_tests',
  'too_many_attempts',
  'too_many_live_streams',
  'too_many_redeliveries',
  'run_failed',
  'no_response',
  'still_building',
  'registry_unavailable',
  'unavailable',
  'unreadable',
  'internal',
] as const;

/** The only error whose message is shown to callers. Other errors are bugs and are only logged. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  /** Stable and documented; for clients, unlike `message`. */
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The allowed methods, for `method_not_allowed`. */
  readonly allow: readonly string[] | undefined;
  /** Names the stored item that cannot be read, for `unreadable`. */
  readonly item: string | undefined;

  constructor(
    kind: ErrorKind,
    code: ErrorCode,
    message: string,
    {
      details,
      retryAfterSeconds,
      allow,
      item,
      ...options
    }: ErrorOptions & {
      details?: readonly ErrorDetail[];
      retryAfterSeconds?: number;
      allow?: readonly string[];
      item?: string;
    } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
    this.item = item;
  }
}
