import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  CfnApiMapping,
  CfnDomainName,
  CfnStage,
  type HttpApi,
  HttpStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { LARGEST_BODY_BYTES } from '../../shared/domain/limits.ts';
import type { Stage } from '../stage.ts';

export interface ApiAddressProps extends Pick<Stage, 'throttle' | 'retention'> {
  /** Host name of the API. Default: the name that API Gateway gives it, which always works too. */
  domain: { name: string; certificateArn: string } | undefined;
}

/** The address of an HTTP API: its only stage, at the root of its host name. */
export interface ApiAddress {
  readonly url: string;
  /** The host name for the alias or CNAME record of the domain. */
  readonly recordTarget: string | undefined;
}

/**
 * One line per request. Paths, queries, headers and error messages are left out, because the path of an endpoint is its secret.
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

export function addressOf(scope: Construct, api: HttpApi, props: ApiAddressProps): ApiAddress {
  const stage = stageOf(scope, api, props);
  const { domain } = props;
  if (domain === undefined) return { url: api.apiEndpoint, recordTarget: undefined };
  const name = new CfnDomainName(scope, 'Domain', {
    domainName: domain.name,
    domainNameConfigurations: [
      { certificateArn: domain.certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' },
    ],
  });
  const mapping = new CfnApiMapping(scope, 'Mapping', {
    apiId: api.apiId,
    domainName: name.ref,
    stage: stage.stageName,
  });
  mapping.node.addDependency(stage);
  return { url: `https://${domain.name}`, recordTarget: name.attrRegionalDomainName };
}

function stageOf(scope: Construct, httpApi: HttpApi, { throttle, retention }: ApiAddressProps): HttpStage {
  const stage = new HttpStage(scope, 'Stage', {
    httpApi,
    autoDeploy: true,
    throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
    // API Gateway has a limit of 10 MB and ignores this one; the embedded gateway reads no larger body.
    stageVariables: { bodyLimit: String(LARGEST_BODY_BYTES) },
  });
  const log = new LogGroup(scope, 'AccessLog', {
    // API Gateway adds every other log group to a resource policy of the region, which has room for 5,120 characters.
    logGroupName: `/aws/vendedlogs/${Stack.of(scope).stackName}/${scope.node.id}`,
    retention: retention.logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const { defaultChild } = stage.node;
  // The construct's own setting would load all of the REST API's constructs.
  if (defaultChild instanceof CfnStage)
    defaultChild.accessLogSettings = { destinationArn: log.logGroupArn, format: JSON.stringify(ACCESS_LINE) };
  return stage;
}
