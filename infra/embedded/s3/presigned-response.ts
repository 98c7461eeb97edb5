import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AwsError, type Output } from '../call.ts';
import { internalS3Error } from './errors.ts';
import { xmlDocument } from './xml.ts';

export interface PresignedResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body?: string | Readable;
}

const responseMembers: Readonly<Record<string, string>> = {
  ContentLength: 'content-length',
  ContentType: 'content-type',
  ETag: 'etag',
  LastModified: 'last-modified',
};

/** The response to a GetObject or PutObject. */
export function objectResponse(output: Output): PresignedResponse {
  const headers = { ...requestHeaders(), ...outputHeaders(output) };
  const { Body } = output;
  if (Body === undefined) return { statusCode: 200, headers: { ...headers, 'content-length': '0' } };
  return { statusCode: 200, headers, body: Body as Readable };
}

function outputHeaders(output: Output): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [member, name] of Object.entries(responseMembers)) {
    const value = output[member];
    if (value === undefined) continue;
    headers[name] = value instanceof Date ? value.toUTCString() : String(value as string | number);
  }
  return headers;
}

/** An error that is no {@link AwsError} is a failure of the embedded service: a 500, as on AWS. */
export function errorResponse(error: unknown, { method, path }: { method: string; path: string }): PresignedResponse {
  const known = error instanceof AwsError ? error : internalS3Error();
  if (method === 'HEAD') return { statusCode: known.statusCode, headers: requestHeaders() };
  const headers = requestHeaders();
  const members = Object.fromEntries(Object.entries(known.members).map(([name, value]) => [name, String(value)]));
  const content = {
    Code: known.name,
    Message: known.message,
    Resource: path,
    ...members,
    RequestId: headers['x-amz-request-id'] ?? '',
  };
  const body = xmlDocument('Error', content);
  const length = String(Buffer.byteLength(body));
  return {
    statusCode: known.statusCode,
    headers: { ...headers, 'content-type': 'application/xml', 'content-length': length },
    body,
  };
}

export const requestHeaders = (): Record<string, string> => ({
  'x-amz-request-id': randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase(),
  'x-amz-id-2': randomUUID(),
});
