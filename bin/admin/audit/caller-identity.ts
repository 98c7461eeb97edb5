import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { queryRequest } from '../query-request.ts';

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';

/**
 * ARN of the caller's user or role, with the name of its session; STS demands no permission for it. Without a response
 * of STS, the id of the access key, by which CloudTrail finds the same caller.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export async function callerOf(client: CloudWatchLogsClient): Promise<string> {
  try {
    const { ok, text } = await queryRequest(client, { service: 'sts', body: BODY });
    const [, arn] = /<Arn>([^<]+)<\/Arn>/.exec(text) ?? [];
    if (ok && arn !== undefined) return arn;
  } catch {
    // A private network may have no route to STS.
  }
  return `access key ${(await client.config.credentials()).accessKeyId}`;
}
