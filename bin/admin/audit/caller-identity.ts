import { SignatureV4 } from '@smithy/signature-v4';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
const LONGEST_WAIT_MS = 5_000;

/**
 * ARN of the caller's user or role, with the name of its session; STS demands no permission for it. Without a response
 * of STS, the id of the access key, by which CloudTrail finds the same caller.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export async function callerOf({ config }: CloudWatchLogsClient): Promise<string> {
  const [credentials, region] = await Promise.all([config.credentials(), config.region()]);
  const suffix = region.startsWith('cn-') ? '.cn' : '';
  const address = process.env['AWS_ENDPOINT_URL_STS'] ?? `https://sts.${region}.amazonaws.com${suffix}`;
  const { host, hostname, protocol } = new URL(address);
  const { sha256 } = config;
  const signer = new SignatureV4({ credentials, region, service: 'sts', sha256 });
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const request = { method: 'POST', protocol, hostname, path: '/', headers, body: BODY };
  try {
    const { headers: signed } = await signer.sign(request);
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    const response = await fetch(address, { method: 'POST', headers: signed, body: BODY, signal });
    const [, arn] = /<Arn>([^<]+)<\/Arn>/.exec(await response.text()) ?? [];
    if (response.ok && arn !== undefined) return arn;
  } catch {
    // A private network may have no route to STS.
  }
  return `access key ${credentials.accessKeyId}`;
}
