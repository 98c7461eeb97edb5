import { afterEach, describe, expect, test } from 'vitest';
import type { OAuthGrant } from '../../../../../shared/domain/account/grant.ts';
import type { RenewAccountContext } from '../../../../../shared/service/oauth/renew-account.ts';
import { HOUR, type OAuthWorld, oauthWorld } from '../../../../support/world/oauth.ts';
import { until } from '../../../../support/until.ts';

let world: OAuthWorld | undefined;
afterEach(() => world?.close());

const open = async (grant: Partial<OAuthGrant> & { hasNoRefreshToken?: true } = {}) =>
  (world = await oauthWorld(grant));
const tokenOf = async ({ vault, found }: OAuthWorld) => (await vault.decrypt(await found()))['oauth_access_token'];
const passing = (more: { retryAfterMs?: number } = {}) =>
  ({ kind: 'passing', reason: 'The provider is down.', ...more }) as const;

describe('a renewal', () => {
  test('stores the new tokens, and keeps the own fields of the account', async () => {
    const stage = await open();
    expect(await stage.renew()).toEqual({ state: 'done' });
    const account = await stage.found();
    expect(await stage.vault.decrypt(account)).toEqual({ oauth_access_token: 'access-1', own: 'kept' });
    expect(account.oauth).toMatchObject({
      status: 'connected',
      renewedAt: stage.now(),
      expiresAt: stage.now() + HOUR,
    });
    expect(account.oauth).not.toHaveProperty('lease');
    expect(account.fieldNames).toEqual(['oauth_access_token', 'own']);
  });

  test('is sent once, however many calls of however many instances want it', async () => {
    const stage = await open();
    const instances = [stage.instance(), stage.instance()];
    let isAnswered = false;
    let isBusy = false;
    stage.provider.during = async () => {
      await until('another call meets the renewal', () => isBusy);
      isAnswered = true;
    };
    const states = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { state } = await stage.renew(instances[n % 2]);
        isBusy ||= state === 'busy';
        return state;
      }),
    );
    expect(isAnswered).toBe(true);
    expect(stage.provider.sent).toEqual(['refresh-0']);
    expect(new Set(states)).toEqual(new Set(['done', 'busy']));
    expect(await tokenOf(stage)).toBe('access-1');
  });

  test('keeps the refresh token of a response without one', async () => {
    const stage = await open();
    stage.provider.next.push({
      kind: 'tokens',
      tokens: { accessToken: 'access-x', expiresInMs: 1_000, fields: { instance_url: 'https://eu.example' } },
    });
    await stage.renew();
    stage.clock.advance(1_000);
    await stage.renew();
    expect(stage.provider.sent).toEqual(['refresh-0', 'refresh-0']);
    expect((await stage.found()).oauth.providedFields).toEqual(['instance_url', 'oauth_access_token']);
  });

  test('stores its tokens although the user renames the account meanwhile', async () => {
    const stage = await open();
    stage.provider.during = async () => {
      stage.provider.during = () => Promise.resolve();
      await stage.accounts.rename(await stage.found(), 'Renamed', { limit: 10 });
    };
    await stage.renew();
    expect((await stage.found()).name).toBe('Renamed');
    expect(await tokenOf(stage)).toBe('access-1');
  });

  test('revokes its tokens when the account was deleted meanwhile', async () => {
    const stage = await open();
    stage.provider.during = async () => void (await stage.accounts.remove(stage.account));
    await stage.renew();
    expect(stage.provider.revoked).toEqual(['access-1']);
    expect(await stage.accounts.find(stage.id)).toBeUndefined();
  });

  test('stores nothing when the account was connected again meanwhile', async () => {
    const stage = await open();
    stage.provider.during = async () => {
      const { lease: _lease, ...oauth } = (await stage.found()).oauth;
      const sealed = await stage.vault.encrypt(stage.account, { oauth_access_token: 'of the new sign-in' });
      await stage.accounts.change(await stage.found(), {
        sealed,
        oauth: { ...oauth, expiresAt: stage.now() + HOUR },
      });
    };
    await stage.renew();
    expect(await tokenOf(stage)).toBe('of the new sign-in');
    expect(stage.provider.revoked).toEqual([]);
  });
});

describe('a renewal whose process dies', () => {
  /** A process that dies at the n-th call of its services after the request to the provider. */
  function dying({ instance, provider }: OAuthWorld, step: number): RenewAccountContext {
    const context = instance();
    let left = step;
    const mayDie = () => {
      if (provider.sent.length === 0) return;
      if (left === 0) throw new Error('the process died');
      left -= 1;
    };
    return {
      ...context,
      vault: {
        decrypt: async (sealed) => (mayDie(), context.vault.decrypt(sealed)),
        encrypt: async (holder, fields) => (mayDie(), context.vault.encrypt(holder, fields)),
      },
      accounts: {
        find: async (id) => (mayDie(), context.accounts.find(id)),
        change: async (account, change) => (mayDie(), context.accounts.change(account, change)),
      },
    };
  }

  test.each([0, 1, 2, 3])(
    'after step %i is repeated when its lease has ended; rotation then asks for a new sign-in',
    async (step) => {
      const stage = await open();
      await expect(stage.renew(dying(stage, step))).rejects.toThrow('the process died');
      expect(await stage.renew()).toEqual({ state: 'busy' });
      stage.clock.advance(30_000);
      expect(await stage.renew()).toEqual({ state: 'done' });
      expect(stage.provider.sent).toEqual(['refresh-0', 'refresh-0']);
      expect((await stage.found()).oauth).toMatchObject({
        status: 'needs_reconnect',
        statusReason: 'The provider says invalid_grant.',
      });
    },
  );

  test('is repeated at once by the next epoch, in which no earlier process lives', async () => {
    const stage = await open();
    await expect(stage.renew(dying(stage, 0))).rejects.toThrow('the process died');
    expect(await stage.renew(stage.instance({ epochPrefix: '1/' }))).toEqual({ state: 'done' });
    expect(stage.provider.sent).toHaveLength(2);
  });

  test('after the store sends no refresh token twice', async () => {
    const stage = await open();
    await stage.renew();
    await stage.renew();
    expect(stage.provider.sent).toEqual(['refresh-0']);
  });
});

describe('a renewal without a lifetime', () => {
  const without = (stage: OAuthWorld) => {
    const outcome = stage.provider.respond(stage.provider.validRefresh);
    if (outcome.kind !== 'tokens') throw new Error('no tokens');
    stage.provider.next.push({ ...outcome, tokens: { ...outcome.tokens, expiresInMs: undefined } });
  };

  test('keeps the one that was known, so that the next renewals come in time', async () => {
    const stage = await open();
    for (let n = 1; n <= 3; n += 1) {
      without(stage);
      await stage.renew();
      const { renewedAt, expiresAt } = (await stage.found()).oauth;
      expect([renewedAt, expiresAt]).toEqual([stage.now(), stage.now() + HOUR]);
      expect(stage.provider.sent).toHaveLength(n);
      stage.clock.advance(HOUR);
    }
  });

  test('keeps it also after one that failed, and a new lifetime replaces it', async () => {
    const stage = await open();
    stage.provider.next.push(passing());
    await stage.renew();
    stage.clock.advance(10_000);
    without(stage);
    await stage.renew();
    expect((await stage.found()).oauth.expiresAt).toBe(stage.now() + HOUR);
    stage.clock.advance(HOUR);
    stage.provider.next.push({
      kind: 'tokens',
      tokens: { accessToken: 'a', refreshToken: 'r', expiresInMs: 2 * HOUR, fields: {} },
    });
    await stage.renew();
    expect((await stage.found()).oauth.expiresAt).toBe(stage.now() + 2 * HOUR);
  });

  test('has none where none was known', async () => {
    const stage = await open({ expiresAt: undefined, isRefused: true });
    without(stage);
    await stage.renew();
    const { status, expiresAt } = (await stage.found()).oauth;
    expect([status, expiresAt, stage.provider.sent.length]).toEqual(['connected', undefined, 1]);
  });
});

describe('a renewal that fails', () => {
  test('for a passing reason is repeated after pauses that grow from 10 s to 10 min', async () => {
    const stage = await open();
    const pauses: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      stage.provider.next.push(passing());
      const at = stage.now();
      await stage.renew();
      const { status, statusReason, retryAt = 0 } = (await stage.found()).oauth;
      expect([status, statusReason]).toEqual(['expiring', 'The provider is down.']);
      pauses.push((retryAt - at) / 1_000);
      stage.clock.advance(retryAt - at - 1);
      const sent = stage.provider.sent.length;
      await stage.renew();
      expect(stage.provider.sent).toHaveLength(sent);
      stage.clock.advance(1);
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
    await stage.renew();
    const { oauth } = await stage.found();
    expect(oauth.status).toBe('connected');
    expect(oauth).not.toHaveProperty('failures');
    expect(oauth).not.toHaveProperty('statusReason');
  });

  test('waits for the time that the provider asks for', async () => {
    const stage = await open();
    stage.provider.next.push(passing({ retryAfterMs: 45_000 }));
    const at = stage.now();
    await stage.renew();
    expect((await stage.found()).oauth.retryAt).toBe(at + 45_000);
  });

  test('for good asks for a new sign-in, and sends nothing any more', async () => {
    const stage = await open();
    stage.provider.next.push({ kind: 'void', reason: 'Revoked.' });
    await stage.renew();
    await stage.renew();
    const { oauth } = await stage.found();
    expect(oauth).toMatchObject({ status: 'needs_reconnect', statusReason: 'Revoked.' });
    expect(oauth).not.toHaveProperty('renewal');
    expect(stage.provider.sent).toHaveLength(1);
    expect(stage.notices).toMatchObject([
      { name: 'account.needs_reconnect', subject: { name: 'Mine' }, what: 'Revoked.' },
    ]);
  });

  test('because the operator registered another client asks for a new sign-in, and sends nothing', async () => {
    const stage = await open();
    stage.provider.clientId = 'client-2';
    await stage.renew();
    expect((await stage.found()).oauth.status).toBe('needs_reconnect');
    expect(stage.provider.sent).toEqual([]);
    expect(stage.notices).toHaveLength(1);
  });
});

describe('after a status 401', () => {
  test('a token that lives is renewed, once per 5 min', async () => {
    const stage = await open({ isRefused: true, expiresAt: Date.now() + 1e12 });
    await stage.renew();
    expect(stage.provider.sent).toHaveLength(1);
    await stage.accounts.change(await stage.found(), {
      oauth: { ...(await stage.found()).oauth, isRefused: true },
    });
    stage.clock.advance(5 * 60_000 - 1);
    await stage.renew();
    expect(stage.provider.sent).toHaveLength(1);
    stage.clock.advance(1);
    await stage.renew();
    expect(stage.provider.sent).toHaveLength(2);
  });

  test('the identity address is asked if there is no refresh token; its 401 asks for a new sign-in', async () => {
    const stage = await open({ hasNoRefreshToken: true, isRefused: true, expiresAt: Date.now() + 1e12 });
    await stage.renew();
    expect((await stage.found()).oauth).toMatchObject({ status: 'connected', refusalRenewedAt: stage.now() });
    await stage.accounts.change(await stage.found(), {
      oauth: { ...(await stage.found()).oauth, isRefused: true },
    });
    stage.clock.advance(5 * 60_000);
    stage.provider.isValid = false;
    await stage.renew();
    expect((await stage.found()).oauth.status).toBe('needs_reconnect');
    expect(stage.provider.checked).toBe(2);
  });
});

describe('the operator is told of', () => {
  test('each renewal whose result is stored', async () => {
    const stage = await open();
    stage.provider.next.push(passing());
    await stage.renew();
    stage.clock.advance(10_000);
    await stage.renew();
    stage.clock.advance(HOUR);
    stage.provider.next.push({ kind: 'void', reason: 'Revoked.' });
    await stage.renew();
    expect(stage.outcomes).toEqual(['expiring', 'renewed', 'needs_reconnect']);
  });

  test('no renewal that was not needed', async () => {
    const stage = await open();
    await stage.renew();
    await stage.renew();
    expect(stage.outcomes).toEqual(['renewed']);
  });

  test.each([[], [passing()], [{ kind: 'void', reason: 'Revoked.' } as const]])(
    'no renewal whose account was deleted meanwhile: %j',
    async (...next) => {
      const stage = await open();
      stage.provider.next.push(...next);
      stage.provider.during = async () => void (await stage.accounts.remove(await stage.found()));
      await stage.renew();
      expect(stage.provider.sent).toHaveLength(1);
      expect(stage.outcomes).toEqual([]);
    },
  );

  test('no check of a token at the identity address', async () => {
    const stage = await open({ hasNoRefreshToken: true, isRefused: true, expiresAt: Date.now() + 1e12 });
    await stage.renew();
    expect(stage.provider.checked).toBe(1);
    expect(stage.outcomes).toEqual([]);
  });
});

test('an account without a refresh token needs a new sign-in when its access token has expired', async () => {
  const stage = await open({ hasNoRefreshToken: true });
  await stage.renew();
  expect((await stage.found()).oauth.status).toBe('needs_reconnect');
  expect(stage.provider.checked).toBe(0);
});
