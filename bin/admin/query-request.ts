import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { SignatureV4 } from '@smithy/signature-v4';

const LONGEST_WAIT_MS = 5_000;

interface QueryRequest {
  service: 'sts' | 'sns';
  /** Form of the operation and its parameters. */
  body: string;
}

/**
 * Calls a service whose client of the SDK would be loaded for one request, with the credentials of another client.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-making-api-requests.html
 */
export async function queryRequest(
  { config }: CloudWatchClient | CloudWatchLogsClient,
  { service, body }: QueryRequest,
): Promise<{ ok: boolean; text: string }> {
  const [credentials, region] = await Promise.all([config.credentials(), config.region()]);
  const suffix = region.startsWith('cn-') ? '.cn' : '';
  const address =
    process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ?? `https://${service}.${region}.amazonaws.com${suffix}`;
  const { host, hostname, protocol } = new URL(address);
  const signer = new SignatureV4({ credentials, region, service, sha256: config.sha256 });
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const { headers: signed } = await signer.sign({ method: 'POST', protocol, hostname, path: '/', headers, body });
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const response = await fetch(address, { method: 'POST', headers: signed, body, signal });
  return { ok: response.ok, text: await response.text() };
}
