import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refuted, Unused } from '../../../bin/admin/doctor/checks/claim.ts';
import { oauthChecks } from '../../../bin/admin/doctor/checks/oauth-checks.ts';
import { diagnoseOAuth } from '../../../bin/admin/doctor/doctor-oauth.ts';
import type { Subject } from '../../../bin/admin/doctor/doctor-subject.ts';
import { AccountId } from '../../../shared/domain/id.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { endedGrant } from '../../../shared/domain/oauth/renewal.ts';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { registerTestClient } from '../../support/register-client.ts';
import { Scene } from '../../support/scene.ts';
import { signInAt } from '../../support/sign-in.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

let scene: Scene;
let provider: AuthorizationServer;
let admin: OperatorAtWork;
beforeAll(async () => {
  scene = await Scene.open();
  provider = await AuthorizationServer.start();
  admin = await operatorThroughSocket(scene.cloud);
});
afterAll(async () => {
  await admin.close();
  await scene.close();
  await provider.stop();
});

const check = () => {
  const [clients] = oauthChecks;
  return clients?.ask({ operator: admin.operator } as Subject);
};

test('the doctor shows that the service of the data directory runs, and its version', async () => {
  expect(await admin.text(['doctor'])).toContain(`\nService: runs, version ${VERSION}\n`);
});

test('a service without OAuth clients has nothing to check', async () => {
  expect(await diagnoseOAuth(admin.operator)).toEqual({
    redirect_address: `${scene.cloud.origin}/connect/callback`,
    clients: [],
    accounts: { connected: 0, expiring: 0, needs_reconnect: 0 },
    examples: [],
  });
  await expect(check()).rejects.toThrow(Unused);
});

test('names the clients with which nobody can sign in, and the accounts that are not in order', async () => {
  await registerTestClient(scene.cloud, { settings: provider.settings });
  await registerTestClient(scene.cloud, { apps: ['zoom'], provider: 'zoom', settings: {} });
  expect(await check()).toBe('it decrypted the secrets of 2 clients');
  const sealed = await registerTestClient(scene.cloud, { apps: ['lost'], settings: provider.settings });
  const { accounts, clients } = admin.operator;
  const { secret = expect.fail('no secret') } = sealed;
  const dataKey = Buffer.from(secret.dataKey, 'base64').reverse().toString('base64');
  await clients.put({ ...sealed, secret: { ...secret, dataKey }, version: sealed.version + 1 });
  const gone = await registerTestClient(scene.cloud, { apps: ['gone'], settings: provider.settings });
  await clients.put({ ...gone, provider: 'gone', settings: {}, version: gone.version + 1 });

  await signInAt(provider, scene.api, { app: 'acme' });
  const account = await accounts.find(AccountId.parse(await signInAt(provider, scene.api, { app: 'acme' })));
  if (!account?.oauth) expect.fail('no account');
  await accounts.change(account, { oauth: endedGrant(account.oauth, 'Revoked.') });

  const found = await diagnoseOAuth(admin.operator);
  expect(found.clients).toEqual([
    { apps: ['acme'], problem: null },
    { apps: ['zoom'], problem: expect.stringMatching(/^Zoom takes no redirect address at http:/) as string },
    { apps: ['lost'], problem: expect.stringMatching(/^its secret cannot be decrypted/) as string },
    { apps: ['gone'], problem: expect.stringMatching(/^the built-in provider gone is not in/) as string },
  ]);
  expect(found.accounts).toEqual({ connected: 1, expiring: 0, needs_reconnect: 1 });
  expect(found.examples).toEqual([
    { id: account.id, owner: account.ownerId, app: 'acme', status: 'needs_reconnect', reason: 'Revoked.' },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/client-secret-canary|[ar]t-[0-9a-f]{8}/);
  await expect(check()).rejects.toThrow(new Refuted('It cannot decrypt the secret of the client of lost'));
});
