import { Fn, Names, Stack } from 'aws-cdk-lib';
import { CfnDistribution, CfnOriginAccessControl } from 'aws-cdk-lib/aws-cloudfront';
import { CfnPermission, CfnUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/**
 * Policies that CloudFront manages: no cache; every header but `Host`; CORS for every origin.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
 */
const POLICIES = {
  cachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  originRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
  responseHeadersPolicyId: '60669652-455b-4ae9-85a4-c4c02393f86c',
};

/**
 * The URL of a function that streams its responses, which only a CloudFront distribution may call. Its signature takes
 * the header `Authorization`, so callers send a token in the query.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html
 */
export class SignedUrl extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { stackName, to: { lambda } }: { stackName: string; to: ServiceFunction }) {
    super(scope, id);
    const { region, account, partition } = Stack.of(this);
    const { attrFunctionUrl } = new CfnUrl(this, 'Url', {
      authType: 'AWS_IAM',
      invokeMode: 'RESPONSE_STREAM',
      targetFunctionArn: lambda.functionArn,
    });
    const access = new CfnOriginAccessControl(this, 'Access', {
      originAccessControlConfig: {
        // Names of all regions share a namespace.
        name: `${Names.uniqueResourceName(this, { maxLength: 40 })}-${region}`,
        originAccessControlOriginType: 'lambda',
        signingBehavior: 'always',
        signingProtocol: 'sigv4',
      },
    });
    const targetOriginId = 'live';
    const distribution = new CfnDistribution(this, 'Distribution', {
      distributionConfig: {
        enabled: true,
        comment: `${stackName}: live streams`,
        httpVersion: 'http2and3',
        origins: [
          {
            id: targetOriginId,
            domainName: Fn.select(2, Fn.split('/', attrFunctionUrl)),
            originAccessControlId: access.attrId,
            // A comment comes every 15 s.
            customOriginConfig: {
              originProtocolPolicy: 'https-only',
              originSslProtocols: ['TLSv1.2'],
              originReadTimeout: 60,
            },
          },
        ],
        defaultCacheBehavior: { targetOriginId, viewerProtocolPolicy: 'https-only', ...POLICIES },
      },
    });
    const caller = {
      functionName: lambda.functionArn,
      principal: 'cloudfront.amazonaws.com',
      sourceArn: `arn:${partition}:cloudfront::${account}:distribution/${distribution.ref}`,
    };
    // https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
    new CfnPermission(this, 'InvokeUrl', {
      ...caller,
      action: 'lambda:InvokeFunctionUrl',
      functionUrlAuthType: 'AWS_IAM',
    });
    new CfnPermission(this, 'Invoke', { ...caller, action: 'lambda:InvokeFunction', invokedViaFunctionUrl: true });
    this.url = `https://${distribution.attrDomainName}`;
  }
}
