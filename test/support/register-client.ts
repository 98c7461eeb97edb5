import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { PLUGIN, sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import type { Cloud } from '../../infra/embedded/cloud.ts';
import { dynamoClient, kmsClient, lambdaClient, sqsClient } from '../../shared/aws/clients.ts';
import { createOAuthFunction } from '../../shared/aws/oauth/oauth-function.ts';
import { createJobSender } from '../../shared/aws/queues.ts';
import { createVault } from '../../shared/aws/vault.ts';
import type { OAuthClient } from '../../shared/domain/oauth/oauth-client.ts';
import { type NewClient, registerClient } from '../../shared/service/oauth/register-client.ts';
import { oauthClientStore } from '../../shared/store/accounts/oauth-clients.ts';
import type { TestCloud } from './cloud.ts';

/** Registers an OAuth client at a cloud of this process, as its operator does. */
export function registerTestClient(
  { cloud }: Pick<TestCloud, 'cloud'>,
  client: Partial<NewClient> & Pick<NewClient, 'settings'>,
): Promise<OAuthClient> {
  const { outputs } = cloud.open;
  actAsOperator(cloud);
  const kms = kmsClient();
  return registerClient(
    {
      clients: oauthClientStore({ dynamo: dynamoClient(), tableName: outputs['TableName'] ?? '' }),
      vault: createVault(() => kms, outputs['AccountKeyArn'] ?? '', Date.now),
      random: (bytes) => randomBytes(bytes),
      now: () => Date.now(),
    },
    { apps: ['acme'], clientId: 'client-1', clientSecret: 'client-secret-canary', ...client },
  );
}

/** The function that renews, for requests that queues send. */
export function oauthFunctionOf({ cloud }: Pick<TestCloud, 'cloud'>) {
  actAsOperator(cloud);
  const lambda = lambdaClient();
  const [name = ''] = [...cloud.functions.keys()].filter((each) => each.startsWith('OAuth'));
  return createOAuthFunction(() => lambda, name);
}

/** Sends jobs as functions do. */
export function jobSenderOf({ cloud }: TestCloud) {
  actAsOperator(cloud);
  const sqs = sqsClient();
  const { timers } = z
    .object({ timers: z.object({ url: z.string() }) })
    .parse(JSON.parse(cloud.open.outputs['Queues'] ?? ''));
  return createJobSender({ sqs: () => sqs, queueUrl: timers.url });
}

function actAsOperator({ open: { dispatch, operatorEnvironment } }: Cloud): void {
  Object.assign(process.env, operatorEnvironment);
  Reflect.set(process, PLUGIN, sdkPlugin({ dispatch, role: OPERATOR }));
}
