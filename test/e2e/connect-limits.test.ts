import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserId } from '../../shared/domain/id.ts';
import type { OAuthClient } from '../../shared/domain/oauth/oauth-client.ts';
import { countsKey } from '../../shared/store/table/keys.ts';
import { oauthLoginStore } from '../../shared/store/accounts/oauth-clients.ts';
import { userStore } from '../../shared/store/users/users.ts';
import type { ApiClient } from '../support/api-client.ts';
import { AuthorizationServer } from '../support/authorization-server.ts';
import { BrowserClient, type Page } from '../support/browser-client.ts';
import { registerTestClient, oauthFunctionOf } from '../support/register-client.ts';
import { Scene } from '../support/scene.ts';
import { authorizationIn } from '../support/sign-in.ts';
import { aUser, tableOf } from '../support/stores.ts';

let scene: Scene;
let provider: AuthorizationServer;
let client: OAuthClient;
let me: UserId;
let api: ApiClient;
beforeAll(async () => {
  scene = await Scene.open();
  provider = await AuthorizationServer.start();
  client = await registerTestClient(scene.cloud, { settings: provider.settings });
});
afterAll(async () => {
  await scene.close();
  await provider.stop();
});
beforeEach(async () => {
  const user = await aUser(scene.cloud);
  [api, me] = [scene.api.as(user.key), user.id];
  provider.login = user.id;
});

interface StartedSignIn {
  url: string;
  attempt_id: string;
}

const start = (body: object = { app: 'acme' }) => api.post('/accounts/connect', body);
async function begin(body?: object): Promise<StartedSignIn> {
  const { status, body: response, text } = await start(body);
  expect(status, text).toBe(200);
  return response.data as StartedSignIn;
}

/** The page that asks for a yes, and its browser. */
async function signIn({ url }: StartedSignIn): Promise<{ page: Page; browser: BrowserClient }> {
  const browser = new BrowserClient();
  const opened = await browser.get(url);
  return { page: await browser.get(provider.consent(opened.location)), browser };
}

async function confirm(started: StartedSignIn): Promise<Page> {
  const { page, browser } = await signIn(started);
  return browser.submit(page);
}

async function connected(body?: object): Promise<string> {
  const started = await begin(body);
  await confirm(started);
  return (await stateOf(started)).account_id as string;
}

const stateOf = async ({ attempt_id: id }: StartedSignIn) => (await api.get(`/accounts/connect/${id}`)).body.data;
const accounts = async () => (await api.get('/users/me/accounts')).body.data as { id: string }[];

async function countAccounts(count: number): Promise<void> {
  const { dynamo, tableName } = tableOf(scene.cloud);
  await dynamo.send(
    new UpdateCommand({
      TableName: tableName,
      Key: countsKey(me),
      UpdateExpression: 'SET accounts = :count',
      ExpressionAttributeValues: { ':count': count },
    }),
  );
}

const FULL = 'You have reached the limit of 1000 accounts. Delete one.';

describe('a user with 1,000 accounts', () => {
  test('connects no further one, and connects each of them again', async () => {
    const id = await connected();
    await countAccounts(1_000);
    const { status, body } = await start();
    expect([status, body.code, body.error]).toEqual([409, 'limit_reached', FULL]);
    expect(await connected({ account_id: id })).toBe(id);
    expect(await accounts()).toHaveLength(1);
  });

  test('whose last two sign-ins are confirmed at once: one is refused, and its address can be opened again', async () => {
    const bothStarted = [await begin(), await begin()] as const;
    const signedIn = [await signIn(bothStarted[0]), await signIn(bothStarted[1])] as const;
    await countAccounts(999);
    const before = provider.revoked.length;
    const pages = await Promise.all(signedIn.map(({ page, browser }) => browser.submit(page)));
    const states = await Promise.all(bothStarted.map(stateOf));
    expect(states.map(({ status }) => status).sort()).toEqual(['connected', 'refused']);
    const at = states[0].status === 'refused' ? 0 : 1;
    expect(states[at].reason).toBe(FULL);
    expect(pages[at]?.text).toContain(FULL);
    expect(pages[1 - at]?.text).toMatch(/The account is connected/);
    // The other account has the same login.
    expect(provider.revoked).toHaveLength(before);

    await api.delete(`/accounts/${states[1 - at].account_id}`);
    expect((await confirm(bothStarted[at])).text).toMatch(/The account is connected/);
    expect((await stateOf(bothStarted[at])).status).toBe('connected');
    expect(await accounts()).toHaveLength(1);
  });

  test('reached before the yes: the tokens are revoked once, and no later yes of the page stores them', async () => {
    const started = await begin();
    const { page, browser } = await signIn(started);
    await countAccounts(1_000);
    const before = provider.revoked.length;
    expect((await browser.submit(page)).text).toContain(FULL);
    expect(await stateOf(started)).toEqual({ status: 'refused', reason: FULL });
    expect(provider.revoked.slice(before)).toEqual([expect.stringMatching(/^rt-/)]);
    await countAccounts(0);
    expect((await browser.submit(page)).text).not.toMatch(/The account is connected/);
    await oauthFunctionOf(scene.cloud).drop(authorizationIn(page));
    expect(provider.revoked).toHaveLength(before + 1);
    expect(await accounts()).toEqual([]);
    const logins = oauthLoginStore(tableOf(scene.cloud));
    expect(await logins.accountsOf({ client: client.id, uid: me })).toEqual([]);
  });
});

describe('the account to connect again', () => {
  test.each(['of another user', 'unknown'])('%s is 404 and changes nothing', async (which) => {
    const stranger = scene.api.as((await aUser(scene.cloud)).key);
    const id = await connected();
    const named = which === 'unknown' ? `${id.slice(0, -4)}0000` : id;
    const before = (await api.get(`/accounts/${id}`)).text;
    const { status, body } = await stranger.post('/accounts/connect', { account_id: named });
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found', error: `There is no account ${named}.` }),
    ]);
    expect((await api.get(`/accounts/${id}`)).text).toBe(before);
    expect((await stranger.get('/users/me/accounts')).body.data).toEqual([]);
  });

  test('deleted before the yes: the sign-in is refused, and its tokens are revoked', async () => {
    const id = await connected();
    const started = await begin({ account_id: id });
    const { page, browser } = await signIn(started);
    await api.delete(`/accounts/${id}`);
    const before = provider.revoked.length;
    expect((await browser.submit(page)).text).toMatch(/was deleted meanwhile/);
    expect((await stateOf(started)).reason).toMatch(/was deleted meanwhile/);
    expect(provider.revoked).toHaveLength(before + 1);
  });
});

test('a sign-in of a user who was deleted makes no account', async () => {
  const started = await begin();
  const { page, browser } = await signIn(started);
  await userStore(tableOf(scene.cloud)).remove(me);
  const before = provider.revoked.length;
  expect((await browser.submit(page)).text).not.toMatch(/is connected/);
  expect((await new BrowserClient().get(started.url)).status).toBe(404);
  await oauthFunctionOf(scene.cloud).drop(authorizationIn(page));
  expect(provider.revoked).toHaveLength(before + 1);
});
