import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AwsError, type Output } from '../call.ts';
import { internalError } from './errors.ts';
import { headerMembers, META } from './wire-headers.ts';
import { xmlDocument, type XmlContent } from './xml.ts';

export interface WireResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body?: string | Readable;
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

const responseMembers: Readonly<Record<string, string>> = {
  ...headerMembers,
  AcceptRanges: 'accept-ranges',
  ChecksumType: 'x-amz-checksum-type',
  ContentLength: 'content-length',
  ContentRange: 'content-range',
  ETag: 'etag',
  LastModified: 'last-modified',
};

export function writeOutput(operation: string, output: Output): WireResponse {
  const headers = { ...requestHeaders(), ...outputHeaders(operation, output) };
  switch (operation) {
    case 'PutObject':
      return { statusCode: 200, headers: { ...headers, 'content-length': '0' } };
    case 'GetObject':
      return {
        statusCode: output['ContentRange'] === undefined ? 200 : 206,
        headers,
        body: output['Body'] as Readable,
      };
    case 'HeadObject':
      return { statusCode: 200, headers };
    case 'DeleteObject':
      return { statusCode: 204, headers };
    case 'DeleteObjects':
      return xml(200, xmlDocument('DeleteResult', output as XmlContent, NAMESPACE));
    case 'CopyObject':
      return xml(200, xmlDocument('CopyObjectResult', output['CopyObjectResult'] as XmlContent, NAMESPACE));
    default:
      return xml(200, xmlDocument('ListBucketResult', output as XmlContent, NAMESPACE));
  }
}

function outputHeaders(operation: string, output: Output): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!['PutObject', 'GetObject', 'HeadObject'].includes(operation)) return headers;
  for (const [member, name] of Object.entries(responseMembers)) {
    const value = output[member];
    if (value === undefined) continue;
    headers[name] = value instanceof Date ? value.toUTCString() : String(value as string | number);
  }
  for (const [name, value] of Object.entries((output['Metadata'] ?? {}) as Record<string, string>)) {
    headers[META + name] = value;
  }
  return headers;
}

/** Anything that is no {@link AwsError} is ours, and answered as S3 answers its own failures. */
export function writeError(error: unknown, { method, path }: { method: string; path: string }): WireResponse {
  const known = error instanceof AwsError ? error : internalError();
  if (method === 'HEAD') return { statusCode: known.statusCode, headers: requestHeaders() };
  const headers = requestHeaders();
  const members = Object.fromEntries(
    Object.entries(known.members).map(([name, value]) => [name, String(value)]),
  );
  const content = {
    Code: known.name,
    Message: known.message,
    Resource: path,
    ...members,
    RequestId: headers['x-amz-request-id'],
  };
  return xml(known.statusCode, xmlDocument('Error', content), headers);
}

const requestHeaders = (): Record<string, string> => ({
  'x-amz-request-id': randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase(),
  'x-amz-id-2': randomUUID(),
});

function xml(statusCode: number, body: string, headers = requestHeaders()): WireResponse {
  const length = String(Buffer.byteLength(body));
  return {
    statusCode,
    headers: { ...headers, 'content-type': 'application/xml', 'content-length': length },
    body,
  };
}
