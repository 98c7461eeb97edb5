import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity } from '@smithy/types';

interface SignedRequest {
  /** By its name in a signature. */
  service: string;
  region: string;
  address: string;
  credentials: AwsCredentialIdentity;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

/**
 * Sends one signed POST to an API of AWS, and follows no redirect.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export async function signedRequest({
  service,
  region,
  address,
  credentials,
  body,
  signal,
  ...request
}: SignedRequest): Promise<{ status: number; text: string }> {
  const { host, hostname, protocol } = new URL(address);
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256 });
  const headers = { host, ...request.headers };
  const { headers: signed } = await signer.sign({ method: 'POST', protocol, hostname, path: '/', headers, body });
  const response = await fetch(address, { method: 'POST', headers: signed, body, signal, redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}
