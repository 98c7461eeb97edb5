import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../call.ts';
import { accessDenied, notImplemented } from './errors.ts';

/**
 * Signature Version 4 of presigned addresses:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

export interface SignedRequest {
  readonly method: string;
  /** As sent, with its URL encoding. */
  readonly path: string;
  /** Decoded names and values, in the order of sending. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Signer {
  readonly secretAccessKey: string;
  /** ARN of the signer's role. */
  readonly role: string;
}

export type FindSigner = (accessKeyId: string) => Signer | undefined;

const MAX_EXPIRES_SECONDS = 604_800;
const MAX_SKEW_MS = 15 * 60_000;
/** Our clients sign no body: the holder of the address chooses it. */
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** The signature of a request with the values that it depends on. */
export interface Claim {
  readonly accessKeyId: string;
  readonly scope: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedAt: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** The SHA-256 of the body, or `UNSIGNED-PAYLOAD`. */
  readonly payload: string;
}

/** The role that signed a presigned address. Throws S3's error for a missing, expired or wrong signature. */
export function signerRoleOf(
  request: SignedRequest,
  { credentials, region, now }: { credentials: FindSigner; region: string; now: number },
): string {
  const claim = presignedClaim(request, now);
  const role = verifiedRole(request, claim, { credentials, region });
  refuseUnsignedHeaders(request, claim);
  if (claim.payload !== UNSIGNED) throw notImplemented('A signature of the body');
  return role;
}

/** The role of a claim's signer. Throws unless the signature is right. */
export function verifiedRole(
  request: SignedRequest,
  claim: Claim,
  { credentials, region }: { credentials: FindSigner; region: string },
): string {
  const signer = credentials(claim.accessKeyId);
  if (!signer) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.';
    throw new AwsError('InvalidAccessKeyId', message, { statusCode: 403 });
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
  return signer.role;
}

function presignedClaim({ query, headers }: SignedRequest, now: number): Claim {
  const parameters = new Map(query);
  if (!parameters.has('X-Amz-Algorithm') && !parameters.has('X-Amz-Signature')) throw accessDenied();
  const [credential, signature, signedAt, signedHeaders, expires] = (
    ['X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-Date', 'X-Amz-SignedHeaders', 'X-Amz-Expires'] as const
  ).map((name) => parameters.get(name));
  const begin = instant(signedAt ?? '');
  if (!credential || !signature || begin === undefined || !signedHeaders || expires === undefined) {
    throw malformedQuery(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  }
  if (parameters.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') {
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
  const payload = parameters.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256'] ?? UNSIGNED;
  return {
    ...scopeOf(credential),
    signedAt: signedAt ?? '',
    signedHeaders: signedHeaders.split(';'),
    signature,
    payload,
  };
}

const malformedQuery = (message: string) => new AwsError('AuthorizationQueryParametersError', message);

export function scopeOf(credential: string): Pick<Claim, 'accessKeyId' | 'scope' | 'date' | 'region' | 'service'> {
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
  const text = ['AWS4-HMAC-SHA256', claim.signedAt, claim.scope, sha256(canonical(request, claim))].join('\n');
  let key: Buffer | string = `AWS4${secret}`;
  for (const part of [claim.date, claim.region, claim.service, 'aws4_request']) key = hmac(key, part);
  return hmac(key, text).toString('hex');
}

function canonical({ method, path, query, headers }: SignedRequest, { signedHeaders, payload }: Claim): string {
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
    payload,
  ].join('\n');
}

/** The signature must cover the host and every header that changes the meaning of the request. */
function refuseUnsignedHeaders({ headers }: SignedRequest, { signedHeaders }: Claim): void {
  const mustBeSigned = Object.keys(headers).filter(
    (name) => name === 'host' || (name.startsWith('x-amz-') && name !== 'x-amz-content-sha256'),
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

/** RFC 3986, as in AWS's signers. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

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
