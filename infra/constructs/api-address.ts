import { CfnApiMapping, CfnDomainName, type HttpApi, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { LARGEST_BODY_BYTES } from '../../shared/domain/limits.ts';
import type { Stage } from '../stage.ts';

export interface ApiAddressProps extends Pick<Stage, 'stackName' | 'throttle' | 'retention' | 'accessLogs'> {
  /**
   * Host name of the API, or `*.` and its host name with all names below it. Default: the name that API Gateway gives
   * it.
   */
  domain: { name: string; certificateArn: string; keepDefaultNames: boolean } | undefined;
}

/** The address of an HTTP API: its only stage, at the root of its host name. */
export interface ApiAddress {
  readonly url: string;
  /** The host name for the alias or CNAME record of the domain. */
  readonly recordTarget: string | undefined;
  /** The same for the names below it. */
  readonly wildcardTarget?: string | undefined;
}

export function addressOf(
  scope: Construct,
  api: HttpApi,
  props: ApiAddressProps,
): { stage: HttpStage; address: ApiAddress } {
  const stage = stageOf(scope, api, props);
  return { stage, address: hostOf(scope, api, { stage, ...props }) };
}

/** Requests to the name that API Gateway gives an API would bypass what stands before its domain. */
export const defaultNameOf = ({ domain }: Pick<ApiAddressProps, 'domain'>) =>
  domain === undefined || domain.keepDefaultNames ? {} : { disableExecuteApiEndpoint: true };

function hostOf(
  scope: Construct,
  api: HttpApi,
  { stage, domain }: Pick<ApiAddressProps, 'domain'> & { stage: HttpStage },
): ApiAddress {
  if (domain === undefined) return { url: api.apiEndpoint, recordTarget: undefined };
  const targetOf = (prefix: string, domainName: string) => {
    const name = new CfnDomainName(scope, `${prefix}Domain`, {
      domainName,
      domainNameConfigurations: [
        { certificateArn: domain.certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' },
      ],
    });
    const mapping = new CfnApiMapping(scope, `${prefix}Mapping`, {
      apiId: api.apiId,
      domainName: name.ref,
      stage: stage.stageName,
    });
    mapping.node.addDependency(stage);
    return name.attrRegionalDomainName;
  };
  const { name } = domain;
  return {
    url: `https://${name}`,
    recordTarget: targetOf('', name.replace('*.', '')),
    wildcardTarget: name.startsWith('*.') ? targetOf('Wildcard', name) : undefined,
  };
}

const stageOf = (scope: Construct, httpApi: HttpApi, { throttle }: ApiAddressProps): HttpStage =>
  new HttpStage(scope, 'Stage', {
    httpApi,
    autoDeploy: true,
    throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
    // API Gateway ignores both and reads bodies up to 10 MB. The embedded gateway reads no larger body than this one,
    // and asks the function before it reads one that has not come with its headers.
    stageVariables: { bodyLimit: String(LARGEST_BODY_BYTES), headChecks: 'yes' },
  });
