import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountId, type UserId } from '../../../shared/domain/id.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { BrowserClient } from '../../support/browser-client.ts';
import { registerTestClient } from '../../support/register-client.ts';
import { Scene } from '../../support/scene.ts';
import { signInAt } from '../../support/sign-in.ts';
import { aUser } from '../../support/stores.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

let scene: Scene;
let provider: AuthorizationServer;
let admin: OperatorAtWork;
beforeAll(async () => {
  scene = await Scene.open();
  provider = await AuthorizationServer.start();
  await registerTestClient(scene.cloud, { settings: provider.settings });
  admin = await operatorThroughSocket(scene.cloud);
});
afterAll(async () => {
  await admin.close();
  await scene.close();
  await provider.stop();
});

async function someone(): Promise<{ id: UserId; api: ApiClient }> {
  const { id, key } = await aUser(scene.cloud);
  return { id, api: scene.api.as(key) };
}

interface SignedIn {
  account: string;
  /** Every token that the provider issued for it. */
  tokens: string[];
}

async function signIn({ api }: { api: ApiClient }, login: string): Promise<SignedIn> {
  provider.login = login;
  const before = provider.issued.length;
  const account = await signInAt(provider, api, { app: 'acme' });
  const tokens = provider.issued.slice(before).flatMap((issued) => Object.values(issued));
  return { account, tokens };
}

const find = (id: string) => admin.operator.accounts.find(AccountId.parse(id));

test('a deleted user leaves no tokens at the provider, but those of a login that another user has too', async () => {
  const [mine, theirs] = [await someone(), await someone()];
  const ada = [await signIn(mine, 'ada'), await signIn(mine, 'ada')].flatMap(({ tokens }) => tokens);
  await signIn(mine, 'grace');
  const kept = await signIn(theirs, 'grace');
  const before = provider.revoked.length;
  expect((await admin.run(['users', 'delete', '--user', mine.id])).json).toEqual({
    id: mine.id,
    unrevoked: 0,
    removed: { emitters: 0, webhooks: 0, accounts: 3 },
  });
  const revoked = provider.revoked.slice(before);
  expect(revoked.length).toBeGreaterThanOrEqual(1);
  expect(ada).toEqual(expect.arrayContaining(revoked));
  expect(new Set(revoked).size).toBe(revoked.length);
  expect((await find(kept.account))?.oauth?.status).toBe('connected');

  expect(await admin.text(['accounts', 'list', '--owner', theirs.id])).toContain(`${kept.account}  acme  connected`);
  await admin.run(['accounts', 'delete', '--account', kept.account]);
  const [last, ...others] = provider.revoked.slice(before + revoked.length);
  expect(kept.tokens).toContain(last);
  expect(others).toEqual([]);
  expect(await find(kept.account)).toBeUndefined();
});

test('a sign-in that is confirmed during the deletion of its user leaves no account and no token', async () => {
  const mine = await someone();
  provider.login = 'heidi';
  const { body } = await mine.api.post('/accounts/connect', { app: 'acme' });
  const browser = new BrowserClient();
  const opened = await browser.get(body.data.url as string);
  const page = await browser.get(provider.consent(opened.location));
  const { operator } = admin;
  const remove = async (id: UserId) => {
    expect((await browser.submit(page)).text).toMatch(/is connected/);
    return operator.users.remove(id);
  };
  const before = provider.revoked.length;
  await admin.run(['users', 'delete', '--user', mine.id], {
    ...operator,
    users: { ...operator.users, remove },
  });
  expect(await operator.accounts.list(mine.id)).toEqual([]);
  expect(provider.revoked).toHaveLength(before + 1);
});

test('a provider that is down keeps no account and no user; the command says whose tokens may still work', async () => {
  const mine = await someone();
  const { account: one } = await signIn(mine, 'eve');
  const { account: two } = await signIn(mine, 'mallory');
  await provider.stop();
  expect(await admin.text(['accounts', 'delete', '--account', one])).toMatch(
    /The tokens of 1 account were not revoked/,
  );
  expect((await admin.run(['users', 'delete', '--user', mine.id])).json).toEqual({
    id: mine.id,
    unrevoked: 1,
    removed: { emitters: 0, webhooks: 0, accounts: 1 },
  });
  expect(await find(two)).toBeUndefined();
  await expect(admin.run(['users', 'delete', '--user', mine.id])).rejects.toThrow(
    new Error(`There is no user ${mine.id}.`),
  );
});
