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

/** All error codes of the API with their kinds, documented in `docs/errors.md`; a test compares the two. */
const KINDS = {
  malformed_request: 'invalid',
  malformed_json: 'invalid',
  invalid_request: 'invalid',
  invalid_cursor: 'invalid',
  invalid_url: 'invalid',
  too_deep: 'invalid',
  too_many_values: 'invalid',
  build_failed: 'invalid',
  load_failed: 'invalid',
  load_timeout: 'invalid',
  configure_failed: 'invalid',
  hook_failed: 'invalid',
  account_expired: 'invalid',
  unauthenticated: 'unauthenticated',
  wrong_signature: 'unauthenticated',
  session_stale: 'unauthenticated',
  suspended: 'forbidden',
  missing_scope: 'forbidden',
  missing_csrf: 'forbidden',
  forbidden_origin: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'method_not_allowed',
  request_timeout: 'invalid',
  limit_reached: 'conflict',
  source_busy: 'conflict',
  name_taken: 'conflict',
  no_oauth_client: 'conflict',
  account_in_use: 'conflict',
  key_in_use: 'conflict',
  webhook_inactive: 'conflict',
  event_expired: 'conflict',
  not_redeliverable: 'conflict',
  too_large: 'too_large',
  unsupported_media_type: 'unsupported_media_type',
  headers_too_large: 'invalid',
  not_implemented: 'failed',
  quota_exceeded: 'rate_limited',
  storage_full: 'rate_limited',
  lagging: 'rate_limited',
  rate_exceeded: 'rate_limited',
  overloaded: 'rate_limited',
  throttled: 'rate_limited',
  too_many_tests: 'rate_limited',
  too_many_attempts: 'rate_limited',
  too_many_live_streams: 'rate_limited',
  too_many_redeliveries: 'rate_limited',
  run_failed: 'failed',
  no_response: 'unavailable',
  still_building: 'unavailable',
  registry_unavailable: 'unavailable',
  unavailable: 'unavailable',
  unreadable: 'failed',
  internal: 'failed',
} as const satisfies Record<string, ErrorKind>;
export type ErrorCode = keyof typeof KINDS;
const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(KINDS, name);
export const errorCodes: readonly ErrorCode[] = Object.keys(KINDS).filter(isErrorCode);

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
    this.kind = KINDS[code];
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
    this.item = item;
  }
}

export const notFound = (name: string): ServiceError => new ServiceError('not_found', `There is no ${name}.`);
