import { isPassing, isThrottled } from '../aws/passing-errors.ts';
import { type ErrorKind, ServiceError } from '../domain/errors.ts';
import { parseFailure } from '../domain/parse-failure.ts';
import { describeError, errorName, type Log } from '../lambda/log.ts';
import { toJson } from '../lib/json-text.ts';
import type { ApiResult } from './exchange.ts';

const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** Seconds after which a client may try again. */
const STORAGE_AFTER = 5;

/**
 * The error to answer with. A service of the cloud that is out of order, does not answer or asks for fewer calls makes
 * it `unavailable`; every other error than {@link ServiceError} becomes `internal`. Both are without details of the
 * cause.
 */
export function problemOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isPassing(error))
    return new ServiceError(
      'unavailable',
      'The storage of the service does not answer or has no room at the moment; try again later.',
      { cause: error, retryAfterSeconds: STORAGE_AFTER },
    );
  return new ServiceError(
    'internal',
    'A defect of the service ended this request; report its request_id to the operator.',
    { cause: error },
  );
}

/** The same for an endpoint, whose senders slow down at a 429, and learn no ids. */
export function endpointProblemOf(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.item !== undefined)
    return new ServiceError(
      error.code,
      'This release of the service cannot read what is stored of this endpoint; report the request_id to its owner.',
      { cause: error.cause, item: error.item },
    );
  if (error instanceof ServiceError || !isThrottled(error)) return problemOf(error);
  return new ServiceError(
    'throttled',
    'The service gets more requests than its cloud account allows at the moment; try again later.',
    { cause: error, retryAfterSeconds: STORAGE_AFTER },
  );
}

/**
 * Writes a line of its own for an error whose cause is not the request. A passing one has no stack, because many
 * requests may meet it.
 */
export function logFault(
  log: Pick<Log, 'error' | 'warn'>,
  name: string,
  requestId: string,
  problem: ServiceError,
): void {
  const { code, cause, item } = problem;
  if (item !== undefined) log.error('item.unreadable', { requestId, item, reason: parseFailure(cause) });
  else if (code === 'internal') log.error(`${name}.failed`, { requestId, error: describeError(cause) });
  else if (isPassing(cause) && (code === 'unavailable' || code === 'throttled'))
    log.warn(`${name}.unavailable`, { requestId, error: errorName(cause) });
}

const statusOf = ({ kind, code }: ServiceError): number => (code === 'no_response' ? 504 : STATUS[kind]);

/** The error response: `{error, code, details?, request_id}`. */
export function problemResponse(problem: ServiceError, requestId: string): ApiResult {
  const { message, code, details, retryAfterSeconds, allow } = problem;
  return {
    statusCode: statusOf(problem),
    headers: {
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(allow === undefined ? {} : { allow: allow.join(', ') }),
    },
    body: toJson({ error: message, code, details, request_id: requestId }),
  };
}
