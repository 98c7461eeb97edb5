import {
  type Claim,
  type FindSigner,
  scopeOf,
  type SignedRequest,
  verifiedRole,
} from '../../../infra/embedded/s3/presigned-signature.ts';

const AUTHORIZATION = /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/;

/**
 * The role of a request to S3 with its signature in the `Authorization` header. Throws unless the signature is right.
 */
export function headerSignerRoleOf(
  request: SignedRequest,
  options: { credentials: FindSigner; region: string },
): string {
  const { authorization = '', 'x-amz-date': signedAt = '' } = request.headers;
  const payload = request.headers['x-amz-content-sha256'] ?? '';
  const [, credential = '', signedHeaders = '', signature = ''] = AUTHORIZATION.exec(authorization) ?? [];
  const claim: Claim = {
    ...scopeOf(credential),
    signedAt,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payload,
  };
  return verifiedRole(request, claim, options);
}
