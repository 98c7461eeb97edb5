import { AwsError } from '../call.ts';
import { invalidArgument, methodNotAllowed, missingContentLength, notImplemented } from './errors.ts';
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

/** Headers and parameters of the transport or the signature. The client asks for checksums, which it does not need. */
const NO_MEMBER =
  /^x-amz-(algorithm|checksum-mode|content-sha256|credential|date|expires|security-token|signature|signedheaders|user-agent)$/i;

export function readObjectCall(request: PresignedRequest): ObjectCall {
  const parameter = request.query.find(([name]) => !name.toLowerCase().startsWith('x-amz-') && name !== 'x-id');
  if (parameter) throw notImplemented(`The query parameter ${parameter[0]}`);
  refuseOthers(request);
  const input = addressOf(request);
  if (request.method === 'GET') return { operation: 'GetObject', input };
  if (request.method === 'PUT') {
    const ContentLength = contentLengthOf(request);
    const ContentType = request.headers['content-type'];
    return { operation: 'PutObject', input: { ...input, ContentLength, ContentType, Body: request.body } };
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

/** A header or a parameter that changes the meaning of the request. */
function refuseOthers({ headers, query }: PresignedRequest): void {
  const names = [...Object.keys(headers), ...query.map(([name]) => name)];
  const other = names.find((name) => /^(?:x-amz-|if-|range$|content-md5$)/i.test(name) && !NO_MEMBER.test(name));
  if (other !== undefined) throw notImplemented(`A header you provided (${other})`);
}

function contentLengthOf({ headers }: SignedRequest): number {
  const length = headers['content-length'];
  if (length === undefined) throw missingContentLength();
  if (!/^\d+$/.test(length)) throw invalidArgument('The content length is not a number.');
  return Number(length);
}
