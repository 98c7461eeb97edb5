import type { ErrorCode, ErrorDetail, ErrorKind } from '../domain/errors.ts';

/** `unreachable`: no connection, no response in time, or a response that is not of a Tributary service. */
export type TributaryErrorKind = ErrorKind | 'unreachable';

/**
 * The codes of docs/errors.md, and those of requests without a response of the service. A later release may add codes.
 */
export type TributaryErrorCode =
  | ErrorCode
  | 'no_connection'
  | 'no_answer'
  | 'not_tributary'
  | `http_${number}`
  | (string & Record<never, never>);

interface TributaryErrorOptions extends ErrorOptions {
  kind: TributaryErrorKind;
  code: TributaryErrorCode;
  /** HTTP status of the response. */
  status?: number | undefined;
  details?: readonly ErrorDetail[] | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** A request that the service refused, or that got no response. */
export class TributaryError extends Error {
  override readonly name = 'TributaryError';
  readonly kind: TributaryErrorKind;
  /** Stable and documented; branch on it, never on the message. */
  readonly code: TributaryErrorCode;
  readonly status: number | undefined;
  /** The wrong fields of the request, if any. */
  readonly details: readonly ErrorDetail[];
  /** The id under which the operator finds the request in the log. */
  readonly requestId: string | undefined;
  /** Time until the request may succeed, as the service said. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { kind, code, status, details = [], requestId, retryAfterMs, ...options }: TributaryErrorOptions,
  ) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** The first wrong field: a dotted path in the body, or the name of a parameter. */
  get field(): string | undefined {
    return this.details[0]?.path;
  }
}

const KINDS = new Map<number, ErrorKind>([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [409, 'conflict'],
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
]);

export const kindOfStatus = (status: number): ErrorKind => KINDS.get(status) ?? (status < 500 ? 'invalid' : 'failed');

interface Refusal {
  status: number;
  body: unknown;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** The error of a response. */
export function errorOfResponse({ status, body, requestId, retryAfterMs }: Refusal): TributaryError {
  const own = membersOf(body);
  const shared = { status, requestId, retryAfterMs };
  if (typeof own['error'] === 'string' && typeof own['code'] === 'string') {
    const details = Array.isArray(own['details']) ? own['details'].flatMap(detailOf) : [];
    return new TributaryError(own['error'], {
      ...shared,
      kind: kindOfStatus(status),
      code: own['code'],
      details,
    });
  }
  // API Gateway's own responses, for example to too many requests.
  if (typeof own['message'] === 'string') {
    const message = `The service's gateway answered ${status}: ${own['message']}.`;
    return new TributaryError(message, { ...shared, kind: kindOfStatus(status), code: `http_${status}` });
  }
  return status >= 500
    ? new TributaryError(`A gateway before the service answered ${status}.`, {
        ...shared,
        kind: 'unreachable',
        code: `http_${status}`,
      })
    : notTributary(status);
}

export const notTributary = (status: number): TributaryError =>
  new TributaryError(`The response with status ${status} is not of a Tributary service: check the address.`, {
    kind: 'unreachable',
    code: 'not_tributary',
    status,
  });

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function detailOf(value: unknown): ErrorDetail[] {
  const { path, message } = membersOf(value);
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
}
