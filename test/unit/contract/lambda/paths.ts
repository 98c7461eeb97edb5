import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Cloud } from '../../../../infra/embedded/cloud.ts';
import { lambdaRequestHandler } from '../../../support/aws-wire/lambda-handler.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';

const config = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  maxAttempts: 1,
};

/** Both ways on which a call of a function reaches the service; each must behave the same. */
export const paths: Readonly<Record<string, (cloud: Cloud, role: string) => LambdaClient>> = {
  'through full serialisation': (cloud, role) =>
    new LambdaClient({
      ...config,
      // The SDK's type wants its own HttpResponse class; its code does not.
      requestHandler: lambdaRequestHandler((operation, input) =>
        cloud.call({ role, service: 'Lambda', operation, input }),
      ) as never,
    }),
  'short-circuited': (cloud, role) => {
    const client = new LambdaClient(config);
    client.middlewareStack.use(sdkPlugin({ dispatch: cloud.call, role }));
    return client;
  },
};
