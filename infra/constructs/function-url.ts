import { CfnPermission, CfnUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** The public address of a function that streams its responses. The function authenticates its callers itself. */
export class FunctionUrl extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { to: { lambda } }: { to: ServiceFunction }) {
    super(scope, id);
    const { attrFunctionUrl } = new CfnUrl(this, 'Url', {
      authType: 'NONE',
      invokeMode: 'RESPONSE_STREAM',
      targetFunctionArn: lambda.functionArn,
      cors: {
        allowOrigins: ['*'],
        allowMethods: ['GET'],
        allowHeaders: ['authorization', 'last-event-id'],
        exposeHeaders: ['x-request-id', 'retry-after', 'allow', 'www-authenticate'],
        maxAge: 86_400,
      },
    });
    const everyone = { functionName: lambda.functionArn, principal: '*' };
    // https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html#urls-auth-none
    new CfnPermission(this, 'InvokeUrl', {
      ...everyone,
      action: 'lambda:InvokeFunctionUrl',
      functionUrlAuthType: 'NONE',
    });
    new CfnPermission(this, 'Invoke', {
      ...everyone,
      action: 'lambda:InvokeFunction',
      invokedViaFunctionUrl: true,
    });
    this.url = attrFunctionUrl;
  }
}
