import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { beforeEach, expect, test } from 'vitest';
import { operateWith } from '../../../../bin/admin/operate.ts';
import { createVault, type Holder } from '../../../../shared/aws/vault.ts';
import { AccountId, OAuthClientId, UserId, WebhookId, WorkflowId } from '../../../../shared/domain/id.ts';
import {
  accountKey,
  accountListKey,
  allUsersKey,
  allWorkflowsKey,
  oauthClientKey,
  signInSettingsKey,
  userKey,
  webhookKey,
  webhookListKey,
  workflowKey,
} from '../../../../shared/store/table/keys.ts';
import { runCommand } from '../../../support/command.ts';
import { ann, calls, flow, kms, resetAws, slack, store } from './aws.ts';

beforeEach(resetAws);

const operate = operateWith(() => Promise.reject(new Error('The command uses no service of this machine')));
const lost = (...argv: string[]) => runCommand(['admin', 'secrets', 'lost', '--stack', 'Ours', ...argv], { operate });
const refuse = (name: string) => kms.on(DecryptCommand).rejects(Object.assign(new Error(name), { name }));

test.each(['IncorrectKeyException', 'InvalidCiphertextException', 'NotFoundException'])(
  'a secret that KMS cannot decrypt (%s) is listed with its owner and the command that mends it, and nothing changes',
  async (name) => {
    refuse(name);
    const { code, out } = await lost('--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual([
      { owner: ann, kind: 'account', id: slack, mend: `tributary accounts update ${slack} --field …` },
    ]);
    expect(calls().filter((call) => !/^(BatchGet|Get|Query|Decrypt) /.test(call))).toEqual([]);
  },
);

test.each(['DisabledException', 'KMSInvalidStateException'])(
  'a key that is switched off (%s) has lost nothing, and the sentence says how to switch it on',
  async (name) => {
    refuse(name);
    expect(await lost()).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(/nothing is lost yet.*cancel-key-deletion.*enable-key/) as string,
    });
  },
);

test('an operator who may not decrypt is told so, and no secret is called lost', async () => {
  refuse('AccessDeniedException');
  expect(await lost()).toMatchObject({ code: 1, out: '', error: 'AccessDeniedException\n' });
});

const bob = UserId.parse('u_bob');
const client = OAuthClientId.parse('oc_1');
const [signed, named, other] = ['wh_1', 'wh_2', 'wh_3'].map((id) => WebhookId.parse(id)) as [
  WebhookId,
  WebhookId,
  WebhookId,
];
const lostSecret = { dataKey: Buffer.from('of another key').toString('base64'), nonce: '', text: '' };
const signIn = {
  client: OAuthClientId.parse('oc_2'),
  name: 'Acme SSO',
  issuer: 'https://sso.acme.com',
  scope: 'openid',
  groupsClaim: 'groups',
  parameters: {},
  clientId: 'tributary',
  secret: lostSecret,
  access: [],
  changedAt: 0,
};
const times = { createdAt: 0, updatedAt: 0, version: 1 };

/** A secret that the key of the stack opens. */
const readable = (holder: Holder) =>
  createVault(() => new KMSClient(), 'the-key', Date.now).encrypt(holder, { text: 'whsec_c2VjcmV0' });

const webhook = (id: WebhookId, ownerId: UserId, secrets: object) => [
  { ...webhookKey(id), id, ownerId, url: 'https://example.org', active: true, ...times, ...secrets },
  webhookListKey(ownerId, id),
];

test('each kind of secret of each user is asked, also the headers of a webhook, and one whose text is not what its data key encrypted; those that open are not listed', async () => {
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob: blob }: { CiphertextBlob: Uint8Array }) => {
    if (Buffer.from(blob).toString() === 'of another key')
      throw Object.assign(new Error('Lost'), { name: 'IncorrectKeyException' });
    return { Plaintext: new Uint8Array(32) };
  });
  const second = WorkflowId.parse('p_second');
  const open = await readable({ id: named, ownerId: ann });
  store(
    { ...userKey(bob), id: bob, username: 'bob', email: 'b@b.c', plan: 'free', keyHash: 'l', createdAt: 1 },
    allUsersKey(bob),
    {
      ...oauthClientKey(client),
      id: client,
      apps: ['zoom'],
      settings: {},
      clientId: 'c',
      ...times,
      secret: lostSecret,
    },
    { ...signInSettingsKey, ...signIn },
    {
      ...workflowKey(second),
      id: second,
      ownerId: bob,
      name: 'second',
      target: 'https://example.org',
      credentialHash: 'c',
      secret: lostSecret,
      createdAt: 0,
    },
    allWorkflowsKey(second),
    ...webhook(signed, ann, { secret: lostSecret }),
    ...webhook(named, ann, { secret: open, headers: lostSecret }),
    ...webhook(other, bob, { secret: await readable({ id: other, ownerId: bob }) }),
  );
  const { code, out } = await lost('--json');
  const rows = JSON.parse(out) as { owner: string; kind: string; id: string; mend: string }[];
  expect(code).toBe(1);
  expect(rows.map(({ owner, kind, id }) => [owner, kind, id])).toEqual([
    ['operator', 'oauth-client', client],
    ['operator', 'sign-in', 'oc_2'],
    [bob, 'workflow', second],
    [ann, 'account', slack],
    [ann, 'webhook', signed],
    [ann, 'webhook', named],
  ]);
  expect(rows.map(({ mend }) => mend)).toEqual([
    'tributary admin oauth-clients add --app zoom',
    'tributary admin sign-in set sign-in.json',
    'tributary admin workflows delete --workflow p_second; tributary admin workflows register',
    `tributary accounts update ${slack} --field …`,
    'tributary webhooks rotate wh_1 --revoke',
    'tributary webhooks rotate wh_2 --revoke; tributary webhooks update wh_2 --header …',
  ]);
  expect(rows.some(({ id }) => id === flow)).toBe(false);
  expect(out).not.toContain('whsec_');
});

test('the number of secrets leaves out a sign-in whose client has none', async () => {
  kms.on(DecryptCommand).resolves({ Plaintext: new Uint8Array(32) });
  const sealed = await readable({ id: slack, ownerId: ann });
  store(
    { ...accountKey(slack), id: slack, ownerId: ann, app: 'slack', fieldNames: ['token'], sealed, createdAt: 0 },
    { ...signInSettingsKey, ...signIn, secret: undefined },
  );
  // Those of an account and of a workflow.
  expect(await lost()).toMatchObject({ code: 0, out: 'All 2 secrets can be decrypted.\n' });
  store({ ...signInSettingsKey, ...signIn, secret: await readable({ id: signIn.client, ownerId: 'operator' }) });
  expect(await lost()).toMatchObject({ code: 0, out: 'All 3 secrets can be decrypted.\n' });
});

test('a secret that still signs after a rotation is listed, and the refresh token of an account', async () => {
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob: blob }: { CiphertextBlob: Uint8Array }) => {
    if (Buffer.from(blob).toString() === 'of another key')
      throw Object.assign(new Error('Lost'), { name: 'IncorrectKeyException' });
    return { Plaintext: new Uint8Array(32) };
  });
  const zoom = AccountId.parse('apn_zoom');
  const rotated = async (id: WebhookId, until: number) =>
    webhook(id, ann, {
      secret: await readable({ id, ownerId: ann }),
      previousSecret: { secret: lostSecret, until },
    });
  const oauth = {
    client,
    clientId: 'c',
    scopes: [],
    parameters: {},
    providedFields: [],
    status: 'connected',
  };
  store(
    ...(await rotated(signed, Date.now() + 3_600_000)),
    ...(await rotated(named, Date.now() - 1)),
    {
      ...accountKey(zoom),
      id: zoom,
      ownerId: ann,
      app: 'zoom',
      fieldNames: [],
      sealed: await readable({ id: zoom, ownerId: ann }),
      oauth: { ...oauth, connectedAt: 0, renewedAt: 0, renewal: lostSecret },
      createdAt: 0,
    },
    accountListKey(ann, zoom),
  );
  const rows = JSON.parse((await lost('--json')).out) as { id: string; mend: string }[];
  expect(rows.filter(({ id }) => id !== slack)).toMatchObject([
    { id: zoom, mend: `tributary accounts reconnect ${zoom}` },
    { id: signed, mend: `tributary webhooks rotate ${signed} --revoke` },
  ]);
});

test('the users after one that lost nothing are asked, too', async () => {
  refuse('IncorrectKeyException');
  store(
    { ...userKey(bob), id: bob, username: 'bob', email: 'b@b.c', plan: 'free', keyHash: 'l', createdAt: 1 },
    allUsersKey(bob),
    ...webhook(other, bob, { secret: lostSecret }),
  );
  const { out } = await lost('--json');
  expect(JSON.parse(out)).toMatchObject([{ id: slack }, { owner: bob, id: other }]);
});
