import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { withPlugin } from '../../shared/aws/clients.ts';

/** Clients of the services that no function uses. */

export const cloudFormationClient = (): CloudFormationClient => withPlugin(new CloudFormationClient());

export const cloudWatchClient = (): CloudWatchClient => withPlugin(new CloudWatchClient());

export const logsClient = (): CloudWatchLogsClient => withPlugin(new CloudWatchLogsClient());
