import { DecryptCommand } from '@aws-sdk/client-kms';
import { beforeEach, describe, expect, test } from 'vitest';
import { operateWith } from '../../../../bin/admin/operate.ts';
import { AccountId, OAuthClientId, SourceId, UserId, WebhookId, WorkflowId } from '../../../../shared/domain/id.ts';
import {
  accountKey,
  accountListKey,
  allUsersKey,
  allWorkflowsKey,
  oauthClientKey,
  sourceKey,
  sourceListKey,
  userKey,
  webhookKey,
  webhookListKey,
  workflowKey,
} from '../../../../shared/store/table/keys.ts';
import { runCommand } from '../../../support/command.ts';
import { ann, flow, kms, resetAws, slack, store } from './aws.ts';

beforeEach(() => {
  resetAws();
  kms.on(DecryptCommand).resolves({ Plaintext: new Uint8Array(32) });
});

const operate = operateWith(() => Promise.reject(new Error('The command uses no service of this machine')));
const admin = (...argv: string[]) => runCommand(['admin', ...argv, '--stack', 'Ours'], { operate });

const bob = UserId.parse('u_bob');
const account = AccountId.parse('apn_broken');
const webhook = WebhookId.parse('wh_broken');
const source = SourceId.parse('dc_broken');
const workflow = WorkflowId.parse('p_broken');
const client = OAuthClientId.parse('oc_broken');
const SECRET = 'whsec_of-another-release';

/** Items that have an id and nothing else that this release knows. */
const broken = (id: string, ownerId = ann) => ({ id, ownerId, secret: SECRET, createdAt: SECRET });
const user = [{ ...userKey(bob), ...broken(bob) }, allUsersKey(bob)];

const note = (id: string) =>
  new RegExp(`^${id} cannot be read by this release, and stays as it is: .*\\. Run the command with the release`, 'm');

describe('a command goes on without an item that cannot be read, names it with the mend, and ends with 1:', () => {
  test.each([
    ['users list', bob, ann, user],
    ['usage', bob, 'user', user],
    ['workflows list', workflow, flow, [{ ...workflowKey(workflow), ...broken(workflow) }, allWorkflowsKey(workflow)]],
    [
      `accounts list --owner ${ann}`,
      account,
      slack,
      [{ ...accountKey(account), ...broken(account) }, accountListKey(ann, account)],
    ],
    ['oauth-clients list', client, 'Redirect address', [{ ...oauthClientKey(client), ...broken(client) }]],
    ['secrets lost', webhook, slack, [{ ...webhookKey(webhook), ...broken(webhook) }, webhookListKey(ann, webhook)]],
    [
      `users suspend --user ${ann}`,
      source,
      'is suspended',
      [{ ...sourceKey(source), ...broken(source) }, sourceListKey(ann, source)],
    ],
    [
      `users suspend --user ${ann}`,
      webhook,
      'is suspended',
      [{ ...webhookKey(webhook), ...broken(webhook) }, webhookListKey(ann, webhook)],
    ],
    [
      `users delete --user ${ann}`,
      account,
      'repeat the command',
      [{ ...accountKey(account), ...broken(account) }, accountListKey(ann, account)],
    ],
  ] as const)('%s, %s', async (command, id, shown, items) => {
    store(...items);
    const { code, out, error } = await admin(...command.split(' '));
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(note(id)) as string });
    expect(out).toContain(shown);
    expect(out + error).not.toContain(SECRET);
  });
});

test('a user that cannot be read has no secret that is left out, and a new user gets its name', async () => {
  store(...user, { ...webhookKey(webhook), ...broken(webhook, bob) }, webhookListKey(bob, webhook));
  expect((await admin('secrets', 'lost')).error).toMatch(note(webhook));
  const created = await admin('users', 'create', '--username', 'eve', '--email', 'e@b.c');
  expect(created.out).toContain('Created the user eve');
});

test('JSON stays the list of the items that can be read', async () => {
  store(...user);
  const { code, out } = await admin('users', 'list', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject([{ id: ann }]);
});

test('a command about one item that cannot be read names it, without its content', async () => {
  store(...user);
  const { code, error } = await admin('users', 'rotate-key', '--user', bob);
  expect(code).toBe(1);
  expect(error).toMatch(
    /^This release cannot read what is stored of u_\w+: .* Run the command with the release that wrote it\.$/m,
  );
  expect(error).not.toContain(SECRET);
});
