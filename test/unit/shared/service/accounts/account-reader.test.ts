import { afterEach, describe, expect, test } from 'vitest';
import { AccountReference } from '../../../../../shared/domain/account/account.ts';
import { AccountId, UserId } from '../../../../../shared/domain/id.ts';
import type { OAuthGrant } from '../../../../../shared/domain/account/grant.ts';
import { HOUR, type OAuthWorld, oauthWorld } from '../../../../support/world/oauth.ts';

let world: OAuthWorld | undefined;
afterEach(() => world?.close());

const open = async (grant: Partial<OAuthGrant> & { hasNoRefreshToken?: true } = {}) =>
  (world = await oauthWorld(grant));
const CALL = { callMs: 60_000 };
const connected = async ({ ownerId, props, apps }: OAuthWorld, reader: ReturnType<OAuthWorld['reader']>, call = CALL) =>
  (await reader.fillProps(ownerId, props, apps, call)).props;
const auth = (oauth_access_token: string) => ({
  app: { $auth: { oauth_access_token, own: 'kept' } },
  text: 'as it is',
});
/** A lease that another process holds. */
const lease = (stage: OAuthWorld) => ({ holder: '0/other', until: stage.now() + 30_000 });

describe('an app prop gets', () => {
  test('a token that is valid for the call, without a renewal', async () => {
    const stage = await open();
    await stage.renew();
    expect(await connected(stage, stage.reader())).toEqual(auth('access-1'));
    expect(stage.provider.sent).toHaveLength(1);
  });

  test('a renewed token instead of one that would end during the call', async () => {
    const stage = await open();
    expect(await connected(stage, stage.reader())).toEqual(auth('access-1'));
    stage.clock.advance(HOUR - 2 * 60_000 + 1);
    expect(await connected(stage, stage.reader())).toEqual(auth('access-2'));
  });

  test('the earlier token while another call renews it and it lives', async () => {
    const stage = await open();
    const { oauth } = await stage.found();
    await stage.accounts.change(await stage.found(), {
      oauth: { ...oauth, expiresAt: stage.now() + 10_000, lease: lease(stage) },
    });
    expect(await connected(stage, stage.reader())).toEqual(auth('access-0'));
  });

  test('the earlier token after a renewal that failed for a passing reason, while it lives', async () => {
    const stage = await open({ expiresAt: Date.now() });
    const { oauth } = await stage.found();
    await stage.accounts.change(await stage.found(), {
      oauth: { ...oauth, expiresAt: stage.now() + 10_000 },
    });
    stage.provider.next.push({ kind: 'passing', reason: 'The provider is down.' });
    expect(await connected(stage, stage.reader())).toEqual(auth('access-0'));
  });

  test('no decryption by KMS while its fields are known', async () => {
    const stage = await open();
    const reader = stage.reader();
    await connected(stage, reader);
    const before = stage.vault.decrypted;
    await connected(stage, reader);
    expect(stage.vault.decrypted).toBe(before);
  });
});

describe('a provider that is down', () => {
  test('is asked no more by calls until the pause is over, while the token lives', async () => {
    const stage = await open();
    const { oauth } = await stage.found();
    await stage.accounts.change(await stage.found(), {
      oauth: { ...oauth, expiresAt: stage.now() + 30_000 },
    });
    const reader = stage.reader();
    stage.provider.next.push({ kind: 'passing', reason: 'The provider is down.' });
    for (let n = 0; n < 5; n += 1) expect(await connected(stage, reader)).toEqual(auth('access-0'));
    expect(stage.invocations.count).toBe(1);
    stage.clock.advance(10_000);
    expect(await connected(stage, reader)).toEqual(auth('access-1'));
  });

  test('makes no pause longer when the clock is set back', async () => {
    const stage = await open({ retryAt: Date.now() + 24 * HOUR });
    expect(await connected(stage, stage.reader())).toEqual(auth('access-1'));
  });

  test('holds a call that may wait for 10 s no longer', async () => {
    const stage = await open();
    stage.provider.during = () => new Promise(() => undefined);
    const at = stage.now();
    await expect(
      stage.reader().fillProps(stage.ownerId, stage.props, stage.apps, { ...CALL, waitMs: 10_000 }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    expect(stage.now() - at).toBe(10_000);
  });
});

test('a hint that cannot be stored fails no run', async () => {
  const stage = await open();
  await stage.renew();
  const context = stage.instance();
  const reader = stage.reader(context, {
    find: stage.accounts.find,
    change: () => Promise.reject(new Error('throttled')),
  });
  const { oauthAccounts } = await reader.fillProps(stage.ownerId, stage.props, stage.apps, CALL);
  await expect(reader.refuse(oauthAccounts)).resolves.toBeUndefined();
});

describe('a call does not start', () => {
  test('while another one renews its expired token; the request is to be repeated', async () => {
    const stage = await open();
    await stage.accounts.change(await stage.found(), {
      oauth: { ...(await stage.found()).oauth, lease: lease(stage) },
    });
    await expect(connected(stage, stage.reader())).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 5,
    });
  });

  test('before a wait for that renewal, if it may wait: 10 s end it', async () => {
    const stage = await open();
    await stage.accounts.change(await stage.found(), {
      oauth: { ...(await stage.found()).oauth, lease: lease(stage) },
    });
    const at = stage.now();
    await expect(
      stage.reader().fillProps(stage.ownerId, stage.props, stage.apps, { ...CALL, waitMs: 10_000 }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    expect(stage.now() - at).toBeGreaterThanOrEqual(10_000);
    expect(stage.now() - at).toBeLessThan(11_000);
  });

  test.each([
    ['needs a new sign-in', { status: 'needs_reconnect', statusReason: 'Revoked.' }, 'Revoked.'],
    ['has no living token and waits for the next renewal', { status: 'expiring' }, 'Mine'],
  ] as const)('with an account that %s: the error names the account, the app and the mend', async (_, grant, text) => {
    const stage = await open(grant);
    const { oauth } = await stage.found();
    await stage.accounts.change(await stage.found(), {
      oauth: { ...oauth, retryAt: stage.now() + 300_000 },
    });
    const refusal = await connected(stage, stage.reader()).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ kind: 'invalid', code: 'account_expired' });
    for (const part of [text, 'some_app', `tributary accounts reconnect ${stage.id}`])
      expect(String(refusal)).toContain(part);
  });

  test('with an account that is gone, of another user or of another app', async () => {
    const stage = await open();
    const reader = stage.reader();
    const expired = { code: 'account_expired' };
    await expect(reader.fillProps(stage.ownerId, stage.props, { app: 'other' }, CALL)).rejects.toMatchObject(expired);
    await stage.accounts.remove(stage.account);
    await expect(connected(stage, reader)).rejects.toMatchObject(expired);
  });
});

test('a refused token is renewed before the next call', async () => {
  const stage = await open();
  const reader = stage.reader();
  const { oauthAccounts } = await reader.fillProps(stage.ownerId, stage.props, stage.apps, CALL);
  await reader.refuse(oauthAccounts);
  expect(await connected(stage, reader)).toEqual(auth('access-2'));
});

describe('a single field of an account', () => {
  const reference = ({ props }: OAuthWorld) => AccountReference.parse(props['app']);

  test('is read without a renewal of its token, also while the account must be reconnected', async () => {
    const stage = await open({ expiresAt: Date.now() });
    const reader = stage.reader();
    const app = stage.apps['app'] ?? '';
    expect(await reader.fieldOf(stage.ownerId, reference(stage), { app, field: 'own' })).toBe('kept');
    expect(stage.provider.sent).toEqual([]);
  });

  test('is none of another user, another app, or an account that is gone', async () => {
    const stage = await open();
    const reader = stage.reader();
    const app = stage.apps['app'] ?? '';
    const own = reference(stage);
    const other = UserId.parse('u_other');
    expect(await reader.fieldOf(other, own, { app, field: 'own' })).toBeUndefined();
    expect(await reader.fieldOf(stage.ownerId, own, { app: 'other', field: 'own' })).toBeUndefined();
    expect(await reader.fieldOf(stage.ownerId, own, { app, field: 'toString' })).toBeUndefined();
    expect(await reader.fieldOf(stage.ownerId, undefined, { app, field: 'own' })).toBeUndefined();
    const gone = { authProvisionId: AccountId.parse('apn_gone') };
    expect(await reader.fieldOf(stage.ownerId, gone, { app, field: 'own' })).toBeUndefined();
  });
});
