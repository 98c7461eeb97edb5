import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../call.ts';
import { accessDenied, notImplemented } from './errors.ts';

/**
 * Signature Version 4 as S3 checks it, in the `Authorization` header and in presigned addresses:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */

export interface SignedRequest {
  readonly method: string;
  /** As sent, still encoded. */
  readonly path: string;
  /** Decoded names and values, in the order sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Signer {
  readonly secretAccessKey: string;
  /** ARN of the role in whose name the signer acts. */
  readonly role: string;
}

export type Credentials = (accessKeyId: string) => Signer | undefined;

const MAX_EXPIRES_SECONDS = 604_800;
const MAX_SKEW_MS = 15 * 60_000;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** What every way of signing says. */
interface Claim {
  readonly accessKeyId: string;
  readonly scope: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedAt: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** What the signature says about the body: its SHA-256, or why it says nothing. */
  readonly payload: string;
  readonly isPresigned: boolean;
}

/** Whose request this is; throws what S3 answers to one that is not signed, or no longer, or not rightly. */
export function signerOf(
  request: SignedRequest,
  { credentials, region, now }: { credentials: Credentials; region: string; now: number },
): { role: string; payload: string } {
  const claim =
    request.headers['authorization'] === undefined ? presignedClaim(request, now) : headerClaim(request, now);
  const signer = credentials(claim.accessKeyId);
  if (!signer) {
    throw new AwsError(
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
      {
        statusCode: 403,
      },
    );
  }
  if (claim.region !== region || claim.service !== 's3' || claim.date !== claim.signedAt.slice(0, 8)) {
    const message = `The authorization header is malformed; the credential scope must be ${claim.signedAt.slice(0, 8)}/${region}/s3/aws4_request`;
    throw new AwsError('AuthorizationHeaderMalformed', message);
  }
  if (!sameText(claim.signature, signatureOf(request, claim, signer.secretAccessKey))) {
    const message =
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
    throw new AwsError('SignatureDoesNotMatch', message, { statusCode: 403 });
  }
  refuseUnsignedHeaders(request, claim);
  if (claim.payload.startsWith('STREAMING-AWS4-')) throw notImplemented('A header you provided');
  return { role: signer.role, payload: claim.payload };
}

function headerClaim({ headers }: SignedRequest, now: number): Claim {
  const header = headers['authorization'] ?? '';
  const match =
    /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  const signedAt = headers['x-amz-date'] ?? '';
  if (!match || instant(signedAt) === undefined) {
    throw new AwsError(
      'AuthorizationHeaderMalformed',
      'The authorization header that you provided is not valid.',
    );
  }
  if (Math.abs((instant(signedAt) ?? 0) - now) > MAX_SKEW_MS) {
    const message = 'The difference between the request time and the current time is too large.';
    throw new AwsError('RequestTimeTooSkewed', message, { statusCode: 403 });
  }
  const [, credential = '', signedHeaders = '', signature = ''] = match;
  const payload = headers['x-amz-content-sha256'];
  if (payload === undefined) {
    throw new AwsError('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  return {
    ...scopeOf(credential),
    signedAt,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payload,
    isPresigned: false,
  };
}

function presignedClaim({ query, headers }: SignedRequest, now: number): Claim {
  const given = new Map(query);
  if (!given.has('X-Amz-Algorithm') && !given.has('X-Amz-Signature')) throw accessDenied();
  const [credential, signature, signedAt, signedHeaders, expires] = (
    ['X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-Date', 'X-Amz-SignedHeaders', 'X-Amz-Expires'] as const
  ).map((name) => given.get(name));
  const begin = instant(signedAt ?? '');
  if (!credential || !signature || begin === undefined || !signedHeaders || expires === undefined) {
    throw malformedQuery(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  }
  if (given.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') {
    throw malformedQuery('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256"');
  }
  if (!/^\d+$/.test(expires)) throw malformedQuery('X-Amz-Expires should be a number');
  if (Number(expires) > MAX_EXPIRES_SECONDS) {
    throw malformedQuery(
      'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
    );
  }
  if (begin > now + MAX_SKEW_MS) throw accessDenied('Request is not valid yet');
  if (now > begin + Number(expires) * 1000) throw accessDenied('Request has expired');
  const payload = given.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  return {
    ...scopeOf(credential),
    signedAt: signedAt ?? '',
    signedHeaders: signedHeaders.split(';'),
    signature,
    payload,
    isPresigned: true,
  };
}

const malformedQuery = (message: string) => new AwsError('AuthorizationQueryParametersError', message);

function scopeOf(credential: string): Pick<Claim, 'accessKeyId' | 'scope' | 'date' | 'region' | 'service'> {
  const [accessKeyId = '', date = '', region = '', service = '', end, ...rest] = credential.split('/');
  if (end !== 'aws4_request' || rest.length > 0)
    throw malformedQuery('Error parsing the X-Amz-Credential parameter; the Credential is mal-formed');
  return { accessKeyId, scope: `${date}/${region}/${service}/${end}`, date, region, service };
}

/** Epoch milliseconds of `20260101T000000Z`. */
function instant(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, ...rest] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

function signatureOf(request: SignedRequest, claim: Claim, secret: string): string {
  const text = ['AWS4-HMAC-SHA256', claim.signedAt, claim.scope, sha256(canonical(request, claim))].join(
    '\n',
  );
  let key: Buffer | string = `AWS4${secret}`;
  for (const part of [claim.date, claim.region, claim.service, 'aws4_request']) key = hmac(key, part);
  return hmac(key, text).toString('hex');
}

function canonical(
  { method, path, query, headers }: SignedRequest,
  { signedHeaders, payload }: Claim,
): string {
  const parameters = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)))
    .map(([name, value]) => `${name}=${value}`);
  return [
    method,
    path
      .split('/')
      .map((part) => encode(decode(part)))
      .join('/'),
    parameters.join('&'),
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    payload || EMPTY_SHA256,
  ].join('\n');
}

/** A header that changes what the request means must be covered by the signature, and so must the host. */
function refuseUnsignedHeaders({ headers }: SignedRequest, { signedHeaders, isPresigned }: Claim): void {
  const mustBeSigned = Object.keys(headers).filter(
    (name) =>
      name === 'host' || (name.startsWith('x-amz-') && !(isPresigned && name === 'x-amz-content-sha256')),
  );
  const unsigned = mustBeSigned.filter((name) => !signedHeaders.includes(name));
  if (unsigned.length === 0) return;
  throw new AwsError('AccessDenied', 'There were headers present in the request which were not signed', {
    statusCode: 403,
    members: { HeadersNotSigned: unsigned.join(', ') },
  });
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

/** RFC 3986, as AWS's signers encode. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
