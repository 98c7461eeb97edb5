import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { withPlugin } from '../../shared/aws/clients.ts';

/** Clients of the services that no function uses, and of tables as a whole. */

export const cloudFormationClient = (): CloudFormationClient => withPlugin(new CloudFormationClient());

export const cloudWatchClient = (): CloudWatchClient => withPlugin(new CloudWatchClient());

export const logsClient = (): CloudWatchLogsClient => withPlugin(new CloudWatchLogsClient());

export const tablesClient = (): DynamoDBClient => withPlugin(new DynamoDBClient());

export const serviceQuotasClient = (): ServiceQuotasClient => withPlugin(new ServiceQuotasClient());
