import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { AccountId, OAuthClientId } from '../../../../../shared/domain/id.ts';
import type { LoginPosition } from '../../../../../shared/domain/oauth/login-position.ts';
import type { OAuthClient } from '../../../../../shared/domain/oauth/oauth-client.ts';
import type { OAuthGrant } from '../../../../../shared/domain/account/grant.ts';
import type { RenewAccountContext } from '../../../../../shared/service/oauth/renew-account.ts';
import { renewIdleAccounts } from '../../../../../shared/service/oauth/renew-idle-accounts.ts';
import { createJobHandler } from '../../../../../shared/service/timers/handle-job.ts';
import { JobMessage } from '../../../../../shared/domain/run/message.ts';
import { type OAuthWorld, oauthWorld } from '../../../../support/world/oauth.ts';

const DAY = 86_400_000;

let world: OAuthWorld | undefined;
const lines: string[] = [];
afterEach(async () => {
  lines.length = 0;
  await world?.close();
});

const open = async (grant: Partial<OAuthGrant> & { hasNoRefreshToken?: true } = {}) =>
  (world = await oauthWorld(grant));

const CLIENTS = ['oc_1', 'oc_2'].map((id) => ({ id: OAuthClientId.parse(id) }) as OAuthClient);

/** The job on these accounts, each with a login of its own at the first client. */
const job =
  (stage: OAuthWorld, ids: readonly AccountId[] = [stage.id], context = stage.instance()) =>
  async (after?: LoginPosition) => {
    for (const [n, id] of ids.entries())
      await stage.logins.add({ client: OAuthClientId.parse('oc_1'), uid: `login ${n}` }, id);
    return renewIdleAccounts(
      {
        ...context,
        clients: { list: () => Promise.resolve(CLIENTS) },
        logins: stage.logins,
        writeLine: (message) => void lines.push(message),
      },
      { after },
    );
  };

describe('the daily job', () => {
  test('renews an account that was not renewed for 7 days, also when its token lives', async () => {
    const stage = await open({ expiresAt: Date.now() + 1e12 });
    await stage.accounts.change(await stage.found(), {
      oauth: { ...(await stage.found()).oauth, renewedAt: stage.now() },
    });
    stage.clock.advance(7 * DAY - 1);
    await job(stage)();
    expect(stage.provider.sent).toEqual([]);
    stage.clock.advance(1);
    expect(await job(stage)()).toEqual({ state: 'done' });
    expect(stage.provider.sent).toEqual(['refresh-0']);
    await job(stage)();
    expect(stage.provider.sent).toHaveLength(1);
  });

  test.each([
    ['needs a new sign-in', { status: 'needs_reconnect' }],
    ['has no refresh token', { hasNoRefreshToken: true }],
  ] as const)('leaves an account alone that %s', async (_, grant) => {
    const stage = await open(grant);
    stage.clock.advance(8 * DAY);
    await job(stage)();
    expect(stage.provider.sent).toEqual([]);
  });

  test('goes on after an account that cannot be renewed', async () => {
    const stage = await open();
    stage.clock.advance(8 * DAY);
    const failing = AccountId.parse('apn_000');
    const { accounts } = stage;
    const find = async (id: AccountId) => ({ ...(await accounts.find(stage.id)), id }) as never;
    const broken: RenewAccountContext = {
      ...stage.instance(),
      accounts: {
        find: (id) => (id === failing ? find(id) : accounts.find(id)),
        change: (account, change) =>
          account.id === failing ? Promise.reject(new Error('no')) : accounts.change(account, change),
      },
    };
    expect(await job(stage, [failing, stage.id], broken)()).toEqual({ state: 'done' });
    expect(stage.provider.sent).toEqual(['refresh-0']);
    expect(lines).toEqual(['account.idle_renewal_failed']);
  });

  test('goes on after an account that cannot be read', async () => {
    const stage = await open();
    stage.clock.advance(8 * DAY);
    const broken = AccountId.parse('apn_000');
    const { accounts } = stage;
    const find = async (id: AccountId) => (id === broken ? z.string().parse(7) : accounts.find(id));
    const context = { ...stage.instance(), accounts: { ...accounts, find } } as never;
    expect(await job(stage, [broken, stage.id], context)()).toEqual({ state: 'done' });
    expect(stage.provider.sent).toEqual(['refresh-0']);
    expect(lines).toEqual(['account.idle_renewal_failed']);
  });

  test('goes through any number of accounts of all clients, ten logins per message, and reads each login once', async () => {
    const stage = await open();
    stage.clock.advance(8 * DAY);
    const others = Array.from({ length: 24 }, (_, n) => AccountId.parse(`apn_${String(n).padStart(3, '0')}`));
    await stage.logins.add({ client: OAuthClientId.parse('oc_2'), uid: 'a' }, stage.id);
    await stage.logins.add({ client: OAuthClientId.parse('oc_2') }, stage.id);
    const found: AccountId[] = [];
    const { accounts } = stage;
    const find = (id: AccountId) => accounts.find((found.push(id), id));
    const renewIdle = job(stage, others, { ...stage.instance(), accounts: { ...accounts, find } });
    const messages: JobMessage[] = [{ kind: 'idle-accounts' }];
    const forward = createJobHandler({
      sendTicks: () => Promise.resolve(),
      sendJobs: (sent) => Promise.resolve(void messages.push(...sent.map(({ message }) => message))),
      oauthFunction: {
        drop: () => Promise.reject(new Error('not here')),
        renewIdle: ({ after }) => renewIdle(after),
      },
      metricsJob: {
        ofUsers: () => Promise.reject(new Error('not here')),
        ofUser: () => Promise.reject(new Error('not here')),
      },
      now: stage.now,
    });
    for (const message of messages) await forward(JobMessage.parse(message));
    expect(messages).toHaveLength(3);
    expect(found.filter((id) => id !== stage.id).sort()).toEqual(others);
    expect(stage.provider.sent).toEqual(['refresh-0']);
  });

  test('starts anew with a message of an earlier version, which names an account', () => {
    const message = JobMessage.parse({ kind: 'idle-accounts', after: 'apn_000' });
    expect(message).toEqual({ kind: 'idle-accounts' });
  });
});
