import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { Dispatch } from '../infra/embedded/call.ts';
import { OPERATOR } from '../infra/embedded/iam/authorizer.ts';
import { sdkPlugin } from '../infra/embedded/sdk-plugin.ts';
import { newId, UserId } from '../shared/domain/id.ts';
import { firstKeyId } from '../shared/domain/user/api-key.ts';
import { signInHostProblem } from '../shared/domain/person/sign-in-hosts.ts';
import { hashOfKey } from '../shared/domain/user/key-hash.ts';
import { signInSettingsStore } from '../shared/store/users/sign-in-settings-store.ts';
import { userStore } from '../shared/store/users/users.ts';
import { SettingsError } from './settings.ts';

interface AdminUserOptions {
  dispatch: Dispatch;
  tableName: string;
  /** The user's API key; without it a first start creates one. */
  apiKey: string | undefined;
}

type Opened = Pick<AdminUserOptions, 'dispatch' | 'tableName'>;

function tableOf({ dispatch, tableName }: Opened) {
  const client = new DynamoDBClient({ region: 'us-east-1' });
  client.middlewareStack.use(sdkPlugin({ dispatch, role: OPERATOR }));
  // A start checks no other user: `admin users list` names users that cannot be read.
  const onUnreadable = () => undefined;
  return { dynamo: DynamoDBDocumentClient.from(client), tableName, onUnreadable };
}

const usersOf = (opened: Opened) => userStore(tableOf(opened));

/** Ends a start at whose addresses a component would get the cookies of people who sign in. */
export async function checkSignIn(opened: Opened, addresses: { publicApiUrl: string; ingressUrl: string }) {
  const problem = signInHostProblem(addresses);
  if (problem === undefined) return;
  const settings = await signInSettingsStore(tableOf(opened)).find();
  if (settings) throw new SettingsError(`${problem} Or end sign-in: tributary admin sign-in remove.`);
}

/** Creates the user `admin`, or sets its key. Returns the key when this start generated it. */
export async function ensureAdmin({ dispatch, tableName, apiKey }: AdminUserOptions): Promise<string | undefined> {
  const users = usersOf({ dispatch, tableName });
  const admin = (await users.list()).find(({ username }) => username === 'admin');
  const owner = apiKey === undefined ? undefined : await users.findByKeyHash(hashOfKey(apiKey));
  if (owner !== undefined && owner.userId !== admin?.id) throw new SettingsError('API_KEY is the key of another user.');
  if (!admin) {
    const key = apiKey ?? randomBytes(32).toString('base64url');
    const now = Date.now();
    const id = UserId.parse(newId('user', now, randomBytes));
    const about = { username: 'admin', email: 'admin@localhost', plan: 'free' } as const;
    if ((await users.create({ ...about, id, keyHash: hashOfKey(key), createdAt: now })) === 'name taken')
      throw new SettingsError(
        'The user admin cannot be read by this release: start the release that wrote it, or restore the data directory (docs/backup.md).',
      );
    return apiKey === undefined ? key : undefined;
  }
  const isFurther = owner?.id !== undefined && owner.retiredAt === undefined && owner.id !== firstKeyId(admin.id);
  if (isFurther)
    throw new SettingsError(
      `API_KEY is the key "${owner.name}" of the user admin, which is not its first one: delete that key, or set another one.`,
    );
  if (apiKey !== undefined) await users.rotateKey(admin.id, hashOfKey(apiKey), Date.now());
  return undefined;
}

/** Gives `admin` a key that works on this machine only, for commands, and ends the one of the last start. */
export async function renewLocalKey(options: Opened): Promise<string> {
  const users = usersOf(options);
  const admin = (await users.list()).find(({ username }) => username === 'admin');
  const key = randomBytes(32).toString('base64url');
  if (!admin || !(await users.setLocalKey(admin.id, { hash: hashOfKey(key), onlyFrom: addressesHere() })))
    throw new Error('The user admin changed while the service started');
  return key;
}

/** A service that listens on one address of this machine is called from that address. */
const addressesHere = (): string[] => [
  ...new Set([
    '127.0.0.1',
    '::1',
    ...Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address)),
  ]),
];
