import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestOf } from '../../../../../shared/domain/oauth/oauth-request.ts';
import { SignInId, OAuthClientId } from '../../../../../shared/domain/id.ts';
import type { SignIn, Authorization } from '../../../../../shared/domain/oauth/sign-in.ts';
import type { SignedIn } from '../../../../../shared/domain/oauth/signed-in.ts';
import type { SignInContext } from '../../../../../shared/service/oauth/sign-in-context.ts';
import { storeSignIn } from '../../../../../shared/service/oauth/store-sign-in.ts';
import { type OAuthWorld, oauthWorld } from '../../../../support/world/oauth.ts';

let world: OAuthWorld;
beforeEach(async () => {
  world = await oauthWorld();
});
afterEach(() => world.close());

/** Authorizations in memory that connect the account again, and the function that stores them. */
function reconnections() {
  const signIns = new Map<string, SignIn>();
  const authorizations = new Map<string, Authorization>();
  /** The process dies at its next release of a sign-in, the first step after the account is stored. */
  let dies = false;

  const context: SignInContext = {
    accounts: world.accounts,
    signIns: {
      find: (id) => Promise.resolve(signIns.get(id)),
      findAuthorization: (_, stateHash) => Promise.resolve(authorizations.get(stateHash)),
      create: () => Promise.reject(new Error('not here')),
      createAuthorization: () => Promise.reject(new Error('not here')),
      change(signIn, change) {
        if (dies && change.isConnected === true) return Promise.reject(new Error('the process died'));
        const changed = { ...signIn, ...change, version: signIn.version + 1 };
        signIns.set(signIn.id, changed);
        return Promise.resolve(changed);
      },
      changeAuthorization(authorization, change) {
        const changed = { ...authorization, ...change, version: authorization.version + 1 };
        authorizations.set(authorization.stateHash, changed);
        return Promise.resolve(changed);
      },
    },
    waiting: { release: () => Promise.resolve() },
    logins: world.logins,
    vault: world.vault,
    readClient: () => Promise.resolve(undefined),
    requests: {
      exchange: () => Promise.reject(new Error('not here')),
      refresh: () => Promise.reject(new Error('not here')),
      identity: () => Promise.resolve(undefined),
      revoke: () => Promise.resolve(true),
    },
    dropLater: () => Promise.resolve(),
    renewDaily: () => Promise.resolve(),
    random: (bytes) => Buffer.alloc(bytes),
    now: world.now,
  };

  return {
    /** A sign-in whose tokens wait for the user's yes. */
    async exchanged(name: string): Promise<RequestOf<'confirm'>> {
      const id = SignInId.parse(`ca_${name.padEnd(24, '0')}`);
      const { ownerId } = world;
      const signed: SignedIn = {
        client: OAuthClientId.parse('oc_1'),
        clientId: 'client-1',
        scopes: ['read'],
        accessToken: `access-of-${name}`,
        refreshToken: `refresh-of-${name}`,
        obtainedAt: world.now(),
        expiresAt: world.now() + 60_000,
        fields: {},
      };
      signIns.set(id, {
        id,
        ownerId,
        app: 'some_app',
        client: signed.client,
        accountId: world.id,
        scopes: [],
        parameters: {},
        tokenHash: '',
        createdAt: world.now(),
        waitingUntil: world.now(),
        flights: 1,
        version: 0,
      });
      authorizations.set(name, {
        attemptId: id,
        stateHash: name,
        cookieHash: '',
        openedAt: world.now(),
        status: 'exchanged',
        tokens: await world.vault.encrypt({ id, ownerId }, { signed_in: JSON.stringify(signed) }),
        version: 0,
      });
      world.clock.advance(1_000);
      return { kind: 'confirm', attemptId: id, stateHash: name };
    },
    async confirm(request: RequestOf<'confirm'>) {
      world.clock.advance(1_000);
      return storeSignIn(context, request);
    },
    async dieConfirming(request: RequestOf<'confirm'>) {
      dies = true;
      await expect(storeSignIn(context, request)).rejects.toThrow('the process died');
      dies = false;
    },
  };
}

const token = async () => (await world.vault.decrypt(await world.found()))['oauth_access_token'];

test('a repeated confirmation does not put back tokens that were renewed meanwhile', async () => {
  const { exchanged, dieConfirming, confirm } = reconnections();
  const authorization = await exchanged('a');
  await dieConfirming(authorization);
  expect(await token()).toBe('access-of-a');
  world.clock.advance(60_000);
  world.provider.validRefresh = 'refresh-of-a';
  await world.renew();
  expect(await token()).toBe('access-1');
  expect(await confirm(authorization)).toEqual({ state: 'connected', accountId: world.id });
  expect(await token()).toBe('access-1');
  world.clock.advance(3_600_000);
  await world.renew();
  expect((await world.found()).oauth.status).toBe('connected');
});

test('a repeated confirmation does not replace a later one', async () => {
  const { exchanged, dieConfirming, confirm } = reconnections();
  const [first, second] = [await exchanged('a'), await exchanged('b')];
  await dieConfirming(first);
  await confirm(second);
  await confirm(first);
  expect(await token()).toBe('access-of-b');
});

test('the sign-in that was confirmed last wins, also one whose tokens are older', async () => {
  const { exchanged, confirm } = reconnections();
  const [older, newer] = [await exchanged('a'), await exchanged('b')];
  await confirm(newer);
  await confirm(older);
  expect(await token()).toBe('access-of-a');
});
