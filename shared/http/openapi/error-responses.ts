import type { ErrorCode } from '../../domain/errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { INVALID_KEY, missingScope } from '../../domain/user/key-refusals.ts';
import { reference } from './named-schemas.ts';

interface ErrorDescription {
  name: string;
  description: string;
  code: ErrorCode;
  error: string;
  details?: readonly { path: string; message: string }[];
}

/** Every operation gives the code of its 400: for a malformed percent-escape in the query, if nothing else is wrong. */
const ERRORS: Readonly<Record<number, ErrorDescription>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid.',
    code: 'invalid_request',
    error: 'The query parameter include must not contain a malformed percent-escape.',
    details: [{ path: 'include', message: 'must not contain a malformed percent-escape' }],
  },
  401: {
    name: 'Unauthenticated',
    description: 'The API key is missing or not valid.',
    code: 'unauthenticated',
    error: INVALID_KEY,
  },
  403: {
    name: 'Forbidden',
    description: 'The key lacks the scope that the operation needs, or the operator has suspended the user.',
    code: 'missing_scope',
    error: missingScope('manage').message,
    details: [{ path: 'scope', message: 'manage is missing' }],
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or belongs to another user.',
    code: 'not_found',
    error: 'There is no dc_0mvx3k2p9a1b2c3d4e5f6g7h.',
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not have this method; `Allow` lists those that it has.',
    code: 'method_not_allowed',
    error: 'This path accepts GET, PUT, DELETE, not PATCH.',
  },
  409: {
    name: 'Conflict',
    description: 'It is not possible in this state.',
    code: 'limit_reached',
    error: 'You have reached the limit of 1000 sources. Delete one, or ask the operator for a higher limit.',
  },
  413: {
    name: 'TooLarge',
    description: 'The body is too large.',
    code: 'too_large',
    error: 'The body has 1258291 bytes; it must not exceed 1 MiB (1048576 bytes).',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON.',
    code: 'unsupported_media_type',
    error: 'Send the body as JSON, with the header "Content-Type: application/json".',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too much at the moment; `Retry-After` says when to try again.',
    code: 'quota_exceeded',
    error: 'The quota of runs of today is used up.',
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The request line and the values of the headers exceed 10,240 bytes.',
    code: 'headers_too_large',
    error:
      'The request line and the values of the headers must not exceed 10,240 bytes, nor headers or trailers with their names 16 KB.',
  },
  500: {
    name: 'InternalError',
    description: 'A fault of the service.',
    code: 'internal',
    error: 'A defect of the service ended this request; report its request_id to the operator.',
  },
  503: {
    name: 'Unavailable',
    description: 'Not possible at the moment; `Retry-After` says when to try again.',
    code: 'unavailable',
    error: 'The component gave no response; try again.',
  },
};

const WITH_RETRY = new Set([429, 503]);

export const REQUEST_ID: JsonSchema = {
  'x-request-id': { description: 'The id of the request, for the operator.', schema: { type: 'string' } },
};
const RETRY_AFTER: JsonSchema = {
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer', format: 'int64' } },
};
const ALLOW: JsonSchema = {
  allow: { description: 'The methods of the path, comma-separated.', schema: { type: 'string' } },
};

/** The reusable error responses of the OpenAPI document. */
export const errorResponses = (): JsonSchema =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([status, { name, description, code, error, details }]) => [
      name,
      {
        description,
        headers: {
          ...REQUEST_ID,
          ...(WITH_RETRY.has(Number(status)) ? RETRY_AFTER : {}),
          ...(code === 'method_not_allowed' ? ALLOW : {}),
        },
        content: {
          'application/json': {
            schema: reference('Error'),
            example: { error, code, ...(details ? { details } : {}), request_id: 'b1c2d3e4-0001' },
          },
        },
      },
    ]),
  );

export function errorReference(status: number): JsonSchema {
  const described = ERRORS[status];
  if (!described) throw new Error(`The error status ${status} has no description: add it to ERRORS`);
  return { $ref: `#/components/responses/${described.name}` };
}
