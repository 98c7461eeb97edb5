import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import { newId, UserId, WorkflowId } from '../../shared/domain/id.ts';
import type { Plan } from '../../shared/domain/user/user.ts';
import { componentStore } from '../../shared/store/emitters/components.ts';
import type { TableOptions } from '../../shared/store/table/table-client.ts';
import { hashOfKey } from '../../shared/domain/user/key-hash.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { workflowStore } from '../../shared/store/emitters/workflows.ts';
import type { TestCloud } from './cloud.ts';

/** The table as the operator reaches it. */
export function tableOf({ cloud }: TestCloud): TableOptions {
  const { dispatch, outputs } = cloud.open;
  const client = new DynamoDBClient({ region: 'us-east-1' });
  client.middlewareStack.use(sdkPlugin({ dispatch, role: OPERATOR }));
  return { dynamo: DynamoDBDocumentClient.from(client), tableName: outputs['TableName'] ?? '' };
}

/** Names are unique. */
let users = 0;

/** A new user and its key. */
export async function aUser(cloud: TestCloud, plan: Plan = 'free'): Promise<{ id: UserId; key: string }> {
  const key = randomBytes(32).toString('base64url');
  const now = Date.now();
  const id = UserId.parse(newId('user', now, randomBytes));
  await userStore(tableOf(cloud)).create({
    id,
    username: `somebody-${(users += 1)}`,
    email: 'somebody@example.org',
    plan,
    keyHash: hashOfKey(key),
    createdAt: now,
    ...(plan === 'paid' ? { paidSince: now } : {}),
  });
  return { id, key };
}

export async function aWorkflow(cloud: TestCloud, ownerId: UserId): Promise<{ id: WorkflowId; credential: string }> {
  const credential = randomBytes(16).toString('base64url');
  const now = Date.now();
  const id = WorkflowId.parse(newId('workflow', now, randomBytes));
  await workflowStore(tableOf(cloud)).create({
    id,
    ownerId,
    name: 'a workflow',
    target: 'http://127.0.0.1:9/nowhere',
    credentialHash: hashOfKey(credential),
    secret: 'whsec_c2VjcmV0',
    createdAt: now,
  });
  return { id, credential };
}

export const publish = async (cloud: TestCloud, id: string): Promise<void> => {
  const components = componentStore(tableOf(cloud));
  const component = await components.find(id as Parameters<typeof components.find>[0]);
  if (component) await components.publish(component);
};
