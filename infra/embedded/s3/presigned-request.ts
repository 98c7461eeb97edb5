import { AwsError } from '../call.ts';
import { invalidArgument, methodNotAllowed, missingContentLength, notImplemented } from './errors.ts';
import { headerMembers, METADATA_PREFIX } from './header-members.ts';
import { storedHeaders } from './objects.ts';
import type { SignedRequest } from './presigned-signature.ts';

/**
 * Presigned addresses read and write single objects:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/Type_API_Reference.html
 */
export interface PresignedRequest extends SignedRequest {
  readonly body: AsyncIterable<Uint8Array>;
}

interface ObjectCall {
  readonly operation: 'GetObject' | 'PutObject';
  readonly input: Record<string, unknown>;
}

const requestMembers: Readonly<Record<string, string>> = {
  ...headerMembers,
  ContentMD5: 'content-md5',
  IfMatch: 'if-match',
  IfNoneMatch: 'if-none-match',
  Range: 'range',
  ChecksumMode: 'x-amz-checksum-mode',
};
/** Headers of the transport or the signature: they are no members of the input. */
const NO_MEMBER =
  /^x-amz-(algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders|user-agent)$/;

export function readObjectCall(request: PresignedRequest): ObjectCall {
  const parameter = request.query.find(([name]) => !name.toLowerCase().startsWith('x-amz-') && name !== 'x-id');
  if (parameter) throw notImplemented(`The query parameter ${parameter[0]}`);
  const input = { ...addressOf(request), ...members(request) };
  if (request.method === 'GET') return { operation: 'GetObject', input };
  if (request.method === 'PUT') {
    const ContentLength = contentLengthOf(request);
    return { operation: 'PutObject', input: { ...input, ContentLength, Body: request.body } };
  }
  throw methodNotAllowed({ Method: request.method, ResourceType: 'OBJECT' });
}

/** `/bucket/key`: our clients write no other addresses. */
function addressOf({ path }: SignedRequest): { Bucket: string; Key: string } {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
  const slash = decoded.indexOf('/', 1);
  if (slash < 0 || slash === decoded.length - 1) throw notImplemented('A request without a key');
  return { Bucket: decoded.slice(1, slash), Key: decoded.slice(slash + 1) };
}

/** Headers by their names in the API. The query of a presigned address may have headers that start with `x-amz-`. */
function members({ method, headers, query }: PresignedRequest): Record<string, unknown> {
  const all = new Map(Object.entries(headers));
  for (const [name, value] of query) if (/^x-amz-/i.test(name)) all.set(name.toLowerCase(), value);
  const input: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  for (const [member, name] of Object.entries(requestMembers)) {
    const value = all.get(name);
    all.delete(name);
    if (value !== undefined && (method === 'PUT' || !describesBody(member))) input[member] = value;
  }
  for (const [name, value] of all) {
    if (name.startsWith(METADATA_PREFIX)) metadata[name.slice(METADATA_PREFIX.length)] = value;
    else if (name.startsWith('x-amz-') && !NO_MEMBER.test(name))
      throw notImplemented(`A header you provided (${name})`);
  }
  if (Object.keys(metadata).length > 0) input['Metadata'] = metadata;
  return input;
}

/** Headers about the body of the request itself: PutObject stores them. */
const describesBody = (member: string) => (storedHeaders as readonly string[]).includes(member);

function contentLengthOf({ headers }: SignedRequest): number {
  const length = headers['content-length'];
  if (length === undefined) throw missingContentLength();
  if (!/^\d+$/.test(length)) throw invalidArgument('The content length is not a number.');
  return Number(length);
}
