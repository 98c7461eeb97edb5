import { AwsError } from '../call.ts';
import { unchunked } from './aws-chunked.ts';
import { checkDigests, checkForm, Digests, type Algorithm } from './checksum.ts';
import {
  invalidArgument,
  malformedXml,
  methodNotAllowed,
  missingContentLength,
  notImplemented,
} from './errors.ts';
import { expectedDigests, type KeyToDelete } from './input.ts';
import { storedHeaders } from './objects.ts';
import type { SignedRequest } from './signature.ts';
import { headerMembers, META } from './wire-headers.ts';
import { parseXml } from './xml.ts';

/** S3's REST and XML: https://docs.aws.amazon.com/AmazonS3/latest/API/Type_API_Reference.html */

export interface WireRequest extends SignedRequest {
  readonly body: AsyncIterable<Uint8Array>;
  /** The bucket that the host names, if it names one. */
  readonly hostBucket?: string | undefined;
}

export interface WireCall {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

const requestMembers: Readonly<Record<string, string>> = {
  ...headerMembers,
  ContentMD5: 'content-md5',
  IfMatch: 'if-match',
  IfNoneMatch: 'if-none-match',
  Range: 'range',
  ChecksumMode: 'x-amz-checksum-mode',
  CopySource: 'x-amz-copy-source',
  MetadataDirective: 'x-amz-metadata-directive',
};
const listParameters: Readonly<Record<string, string>> = {
  prefix: 'Prefix',
  delimiter: 'Delimiter',
  'max-keys': 'MaxKeys',
  'continuation-token': 'ContinuationToken',
  'start-after': 'StartAfter',
};
/** Part of every request, or of its signature, and not of what it asks for. */
const MEANS_NOTHING =
  /^x-amz-(algorithm|content-sha256|credential|date|decoded-content-length|expires|security-token|signature|signedheaders|trailer|user-agent)$/;

export async function readRequest(request: WireRequest): Promise<WireCall> {
  const { bucket, key } = addressOf(request);
  const parameters = new Map(
    request.query.filter(([name]) => !name.toLowerCase().startsWith('x-amz-') && name !== 'x-id'),
  );
  const base = { Bucket: bucket, ...(key !== '' && { Key: key }) };
  if (key === '') {
    if (request.method === 'POST' && takes(parameters, 'delete')) {
      return {
        operation: 'DeleteObjects',
        input: { ...base, Delete: await deletion(request, members(request)) },
      };
    }
    if (request.method === 'GET' && parameters.get('list-type') === '2') {
      parameters.delete('list-type');
      return { operation: 'ListObjectsV2', input: { ...base, ...listInput(parameters) } };
    }
  }
  const [unknown] = parameters.keys();
  if (unknown !== undefined || key === '')
    throw notImplemented(`The request ${request.method} ?${unknown ?? ''}`);
  const input = { ...base, ...members(request) };
  switch (request.method) {
    case 'PUT':
      if ('CopySource' in input) return { operation: 'CopyObject', input };
      return { operation: 'PutObject', input: { ...input, ...putBody(request) } };
    case 'GET':
      return { operation: 'GetObject', input };
    case 'HEAD':
      return { operation: 'HeadObject', input };
    case 'DELETE':
      return { operation: 'DeleteObject', input };
    default:
      throw methodNotAllowed({ Method: request.method, ResourceType: 'OBJECT' });
  }
}

const takes = (parameters: Map<string, string>, name: string) =>
  parameters.delete(name) && parameters.size === 0;

function addressOf({ path, hostBucket }: WireRequest): { bucket: string; key: string } {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
  if (hostBucket !== undefined) return { bucket: hostBucket, key: decoded.slice(1) };
  const slash = decoded.indexOf('/', 1);
  return slash < 0
    ? { bucket: decoded.slice(1), key: '' }
    : { bucket: decoded.slice(1, slash), key: decoded.slice(slash + 1) };
}

/** Headers by the API's names. In a presigned address, those that begin with `x-amz-` may stand in the query. */
function members({ method, headers, query }: WireRequest): Record<string, unknown> {
  const given = new Map(Object.entries(headers));
  for (const [name, value] of query) if (/^x-amz-/i.test(name)) given.set(name.toLowerCase(), value);
  const input: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  for (const [member, name] of Object.entries(requestMembers)) {
    const value = given.get(name);
    given.delete(name);
    if (value !== undefined && (method === 'PUT' || !describesBody(member))) input[member] = value;
  }
  for (const [name, value] of given) {
    if (name.startsWith(META)) metadata[name.slice(META.length)] = value;
    else if (name.startsWith('x-amz-') && !MEANS_NOTHING.test(name))
      throw notImplemented(`A header you provided (${name})`);
  }
  if (Object.keys(metadata).length > 0) input['Metadata'] = metadata;
  const encodings = String(input['ContentEncoding'] ?? '')
    .split(',')
    .map((part) => part.trim());
  const ours = encodings.filter((part) => part !== '' && part !== 'aws-chunked').join(',');
  if (ours === '') delete input['ContentEncoding'];
  else input['ContentEncoding'] = ours;
  return input;
}

/** What a request says about its own body; only PutObject keeps it. */
const describesBody = (member: string) => (storedHeaders as readonly string[]).includes(member);

function putBody({ headers, body }: WireRequest): Record<string, unknown> {
  const isChunked = (headers['content-encoding'] ?? '').includes('aws-chunked');
  const length = headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length'];
  if (length === undefined) throw missingContentLength();
  if (!/^\d+$/.test(length)) throw invalidArgument('The content length is not a number.');
  const trailerNames = (headers['x-amz-trailer'] ?? '')
    .split(',')
    .filter(Boolean)
    .map((name) => name.trim().toLowerCase());
  return { ContentLength: Number(length), Body: isChunked ? unchunked(body, trailerNames) : body };
}

function listInput(parameters: Map<string, string>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    const member = listParameters[name];
    if (member === undefined) throw notImplemented(`The query parameter ${name}`);
    input[member] = member === 'MaxKeys' ? Number(value || Number.NaN) : value;
  }
  return input;
}

/** Enough for 1,000 keys of 1,024 bytes, each byte escaped. */
const MAX_XML_BYTES = 8 * 1024 * 1024;

async function deletion(
  { body }: WireRequest,
  given: Record<string, unknown>,
): Promise<{ Objects: KeyToDelete[]; Quiet: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_XML_BYTES) throw malformedXml();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const expected = expectedDigests(given);
  checkForm(expected);
  const digests = new Digests(Object.keys(expected) as Algorithm[]);
  digests.update(bytes);
  checkDigests(expected, digests.finish());
  const root = parseXml(bytes.toString());
  if (root?.name !== 'Delete') throw malformedXml();
  const objects = root.children.filter(({ name }) => name === 'Object');
  return {
    Objects: objects.map(({ children }) => {
      const key = children.find(({ name }) => name === 'Key');
      if (!key || children.length > 1) throw malformedXml();
      return { Key: key.text };
    }),
    Quiet: root.children.some(({ name, text }) => name === 'Quiet' && text.trim() === 'true'),
  };
}
