import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnStage, type HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

/**
 * One line per request. Paths, queries, headers and error messages are left out, because a key may stand in them.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const ACCESS_LINE = {
  requestId: '$context.requestId',
  at: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  ms: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
};

export function addAccessLog(
  scope: Construct,
  stage: HttpStage,
  { stackName, retention }: Pick<Stage, 'stackName' | 'retention'>,
): void {
  const log = new LogGroup(scope, 'AccessLog', {
    // API Gateway adds every other log group to a resource policy of the region, which has room for 5,120 characters.
    logGroupName: `/aws/vendedlogs/${stackName}/${scope.node.id}`,
    retention: retention.logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const { defaultChild } = stage.node;
  // The construct's own setting would load all of the REST API's constructs.
  if (defaultChild instanceof CfnStage)
    defaultChild.accessLogSettings = { destinationArn: log.logGroupArn, format: JSON.stringify(ACCESS_LINE) };
}
