import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { signedRequest } from '../../shared/aws/targets/signed-request.ts';

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
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const { status, text } = await signedRequest({ service, region, address, credentials, headers, body, signal });
  return { ok: status >= 200 && status < 300, text };
}
