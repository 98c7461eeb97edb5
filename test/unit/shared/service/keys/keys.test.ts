import { randomBytes } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { ApiKeyId, UserId } from '../../../../../shared/domain/id.ts';
import { firstKeyId, MAX_KEYS, Scope } from '../../../../../shared/domain/user/api-key.ts';
import { hashOfKey } from '../../../../../shared/domain/user/key-hash.ts';
import { createAuthenticator } from '../../../../../shared/http/authentication.ts';
import { createApiKey, deleteApiKey, rotateApiKey } from '../../../../../shared/service/keys/change-keys.ts';
import { currentKey, currentKeys, type KeyServices } from '../../../../../shared/service/keys/current-keys.ts';
import { keyLists } from '../../../../../shared/store/users/key-lists.ts';
import { sessionStore } from '../../../../../shared/store/users/sessions.ts';
import { signInSettingsStore } from '../../../../../shared/store/users/sign-in-settings-store.ts';
import type { TableOptions } from '../../../../../shared/store/table/table-client.ts';
import { userStore } from '../../../../../shared/store/users/users.ts';
import { openEventTable } from '../../../../support/event-table.ts';

const HOUR = 3_600_000;
const userId = UserId.parse('u_0mj0000009a1b2c3d4e5f6g7');
const first = { userId, apiKey: 'first' };
const firstId = firstKeyId(userId);
const callerOf = ({ secret }: { secret: string }) => ({ userId, apiKey: secret });

/** A user with its first key, on the table of this machine. */
async function aService() {
  const clock = new FakeClock();
  const { table, close } = await openEventTable({ clock });
  onTestFinished(close);
  const users = userStore(table);
  const user = { username: 'ann', email: 'a@b.c', plan: 'free', createdAt: 0 } as const;
  await users.create({ ...user, id: userId, keyHash: hashOfKey('first') });
  const now = () => clock.now();
  const services: KeyServices = {
    users,
    sessions: sessionStore(table),
    signInSettings: signInSettingsStore(table),
    keyLists: keyLists(table),
    random: (bytes) => randomBytes(bytes),
    now,
  };
  /** As an instance of a function that has seen no key yet. */
  const authenticate = (apiKey: string) =>
    createAuthenticator(users, now)({ authorization: `Bearer ${apiKey}`, sentFrom: undefined });
  const works = (apiKey: string) => authenticate(apiKey).then(Boolean, () => false);
  const create = (scopes: readonly Scope[], by = first, validUntil?: number) =>
    createApiKey(services, by, { name: 'a key', scopes, validUntil });
  const list = async (by = first) => (await currentKeys(services, by)).keys;
  return { clock, table, users, services, authenticate, works, create, list, user };
}

/** A table that does some work just before the first transaction. */
function justBeforeTransaction(table: TableOptions, work: () => Promise<unknown>): TableOptions {
  let isDone = false;
  const send = async (command: Parameters<typeof table.dynamo.send>[0]) => {
    if (command instanceof TransactWriteCommand && !isDone) {
      isDone = true;
      await work();
    }
    return table.dynamo.send(command);
  };
  return { ...table, dynamo: { send } as unknown as typeof table.dynamo };
}

test('the key of today is the first one of its user, with all scopes and without an end', async () => {
  const { list, authenticate } = await aService();
  expect(await list()).toMatchObject([
    { id: firstId, name: 'First key', scopes: Scope.options, validUntil: undefined, isCurrent: true },
  ]);
  expect(await authenticate('first')).toEqual({
    userId,
    apiKey: 'first',
    keyHash: hashOfKey('first'),
    scopes: Scope.options,
    key: { id: firstId, name: 'First key' },
  });
});

test('a new key works at once with its scopes, and its secret is stored nowhere', async () => {
  const { services, table, authenticate, create, list } = await aService();
  const { secret, key } = await create(['read']);
  expect(await authenticate(secret)).toMatchObject({ userId, scopes: ['read'] });
  expect((await list()).map(({ id }) => id)).toEqual([key.id, firstId]);
  const stored = [await services.keyLists.read(userId), ...(await keyLists(table).found([hashOfKey(secret)]))];
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test('a key makes and rotates no key with a scope that it lacks, or a longer life', async () => {
  const { clock, services, create } = await aService();
  const manager = callerOf(await create(['manage'], first, clock.now() + HOUR));
  await expect(create(['manage', 'read'], manager)).rejects.toMatchObject({ code: 'missing_scope' });
  await expect(create(['manage'], manager, clock.now() + HOUR + 1)).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'expires_at_ms' }],
  });
  // Without an end of its own it ends with the key that made it.
  expect((await create(['manage'], manager)).key.validUntil).toBe(clock.now() + HOUR);
  await expect(rotateApiKey(services, manager, { id: firstId, overlapMs: 0 })).rejects.toMatchObject({
    code: 'missing_scope',
    message: 'The rotated key needs the scope read, which your API key lacks.',
  });
  const { key: longer } = await create(['manage']);
  await expect(rotateApiKey(services, manager, { id: longer.id, overlapMs: 0 })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/^The rotated key must not work longer than the key of the request/) as string,
    details: [{ path: 'id', message: `must be of a key that ends no later than ${clock.now() + HOUR}` }],
  });
  await expect(create(['manage'], first, clock.now())).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a key that was deleted, also during its request, makes no other key', async () => {
  const { services, create, list } = await aService();
  const made = await create(['manage']);
  const manager = callerOf(made);
  const during: KeyServices = {
    ...services,
    keyLists: {
      ...services.keyLists,
      change: async (...change) => {
        await deleteApiKey(services, first, made.key.id).catch(() => undefined);
        return services.keyLists.change(...change);
      },
    },
  };
  const request = { name: 'survivor', scopes: ['manage'], validUntil: undefined } as const;
  await expect(createApiKey(during, manager, request)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(createApiKey(services, manager, request)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(currentKeys(services, manager)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await list()).map(({ id }) => id)).toEqual([firstId]);
});

test('a first key that the operator replaces during a request makes no other key', async () => {
  const { services, users, list } = await aService();
  const during: KeyServices = {
    ...services,
    keyLists: {
      ...services.keyLists,
      change: async (...change) => {
        await users.rotateKey(userId, hashOfKey('second'));
        return services.keyLists.change(...change);
      },
    },
  };
  const request = { name: 'survivor', scopes: ['manage'], validUntil: undefined } as const;
  await expect(createApiKey(during, first, request)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await list({ userId, apiKey: 'second' })).map(({ id }) => id)).toEqual([firstId]);
});

test(`a user has at most ${MAX_KEYS} keys, also when two requests create the last one`, async () => {
  const { create, list } = await aService();
  for (let n = 1; n < MAX_KEYS - 1; n += 1) await create(['read']);
  const outcomes = await Promise.allSettled([create(['read']), create(['read'])]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(create(['read'])).rejects.toMatchObject({ code: 'limit_reached' });
  expect(await list()).toHaveLength(MAX_KEYS);
});

test.each(['the first key', 'another key'])(
  '%s has a new secret after a rotation, and two for an overlap',
  async (which) => {
    const { clock, services, authenticate, works, create, list } = await aService();
    const isFirst = which === 'the first key';
    const made = await create(['read', 'manage']);
    const [id, old] = isFirst ? [firstId, 'first'] : [made.key.id, made.secret];
    const by = isFirst ? callerOf({ secret: 'first' }) : callerOf(made);
    const before = (await list()).find((key) => key.id === id);
    const second = await rotateApiKey(services, by, { id, overlapMs: HOUR });
    expect(second.key).toMatchObject({ id, name: before?.name, scopes: before?.scopes, validUntil: undefined });
    expect((await authenticate(second.secret)).scopes).toEqual(before?.scopes);
    expect(await works(old)).toBe(true);
    expect(await list(callerOf(second))).toContainEqual(
      expect.objectContaining({ id, overlapUntil: clock.now() + HOUR }),
    );
    // The old secret makes nothing that outlives it.
    await expect(rotateApiKey(services, by, { id, overlapMs: 0 })).rejects.toMatchObject({ code: 'invalid_request' });
    // Another rotation ends the oldest text.
    const third = await rotateApiKey(services, callerOf(second), { id, overlapMs: HOUR });
    expect(await Promise.all([old, second.secret, third.secret].map(works))).toEqual([false, true, true]);
    clock.advance(HOUR);
    expect(await Promise.all([second.secret, third.secret].map(works))).toEqual([false, true]);
    const last = await rotateApiKey(services, callerOf(third), { id, overlapMs: 0 });
    expect(await Promise.all([third.secret, last.secret].map(works))).toEqual([false, true]);
    await expect(authenticate(third.secret)).rejects.toThrow('A newer API key replaced this one');
  },
);

test('a rotation by the operator ends every secret of the first key, and leaves the others', async () => {
  const { services, users, works, create, list } = await aService();
  const other = await create(['read']);
  const rotated = await rotateApiKey(services, first, { id: other.key.id, overlapMs: HOUR });
  const second = await rotateApiKey(services, first, { id: firstId, overlapMs: HOUR });
  await users.rotateKey(userId, hashOfKey('third'), services.now());
  expect((await list({ userId, apiKey: 'third' })).map(({ id, overlapUntil }) => [id, overlapUntil])).toEqual([
    [other.key.id, rotated.key.overlapUntil],
    [firstId, undefined],
  ]);
  expect((await services.keyLists.read(userId)).retired.map(({ id }) => id)).toEqual([other.key.id]);
  expect(await Promise.all(['first', second.secret, 'third', other.secret].map(works))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a deleted key stops, with its old secret; the key of the request stays', async () => {
  const { services, users, works, create, list } = await aService();
  const manager = await create(['manage']);
  const doomed = await create(['read']);
  const rotated = await rotateApiKey(services, first, { id: doomed.key.id, overlapMs: HOUR });
  await deleteApiKey(services, callerOf(manager), doomed.key.id);
  expect(await Promise.all([doomed.secret, rotated.secret].map(works))).toEqual([false, false]);
  await expect(deleteApiKey(services, callerOf(manager), manager.key.id)).rejects.toMatchObject({ code: 'key_in_use' });
  await expect(deleteApiKey(services, first, doomed.key.id)).rejects.toMatchObject({ code: 'not_found' });
  await deleteApiKey(services, callerOf(manager), firstId);
  expect(await works('first')).toBe(false);
  expect((await list(callerOf(manager))).map(({ id }) => id)).toEqual([manager.key.id]);
  // The operator can always make a first key again.
  await users.rotateKey(userId, hashOfKey('again'));
  expect((await list({ userId, apiKey: 'again' })).map(({ id }) => id)).toEqual([manager.key.id, firstId]);
});

test('keys of another user are unknown', async () => {
  const { services, users, create, user } = await aService();
  const other = UserId.parse('u_0mvx3k2p9zzzzzzzzzzzzzzz');
  await users.create({ ...user, id: other, username: 'bob', keyHash: hashOfKey('of bob') });
  const { key } = await create(['read']);
  const bob = { userId: other, apiKey: 'of bob' };
  for (const id of [key.id, firstId, ApiKeyId.parse('key_nothing')]) {
    await expect(rotateApiKey(services, bob, { id, overlapMs: 0 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteApiKey(services, bob, id)).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a suspension stops every key and old secret, makes no new one, and ends for all', async () => {
  const { services, users, works, create } = await aService();
  const { key, secret } = await create(['read']);
  const rotated = await rotateApiKey(services, first, { id: key.id, overlapMs: HOUR });
  const all = () => Promise.all(['first', secret, rotated.secret].map(works));
  await users.setSuspension(userId, 1);
  expect(await all()).toEqual([false, false, false]);
  await expect(create(['read'])).rejects.toMatchObject({ code: 'suspended' });
  await users.setSuspension(userId, undefined);
  expect(await all()).toEqual([true, true, true]);
});

test('a suspension stops also a first key that its user rotates meanwhile', async () => {
  const { services, table, works } = await aService();
  const late: string[] = [];
  const during = justBeforeTransaction(table, async () =>
    late.push((await rotateApiKey(services, first, { id: firstId, overlapMs: HOUR })).secret),
  );
  await userStore(during).setSuspension(userId, 1);
  expect(late).toHaveLength(1);
  for (const secret of ['first', ...late]) expect(await works(secret)).toBe(false);
});

test('a rotation by the operator makes no key that works for a user who is suspended meanwhile', async () => {
  const { services, table, users, works } = await aService();
  const during = justBeforeTransaction(table, () => users.setSuspension(userId, 1));
  await userStore(during).rotateKey(userId, hashOfKey('second'), services.now());
  for (const secret of ['first', 'second']) expect(await works(secret)).toBe(false);
  await users.setSuspension(userId, undefined);
  expect(await works('second')).toBe(true);
});

test('the key of this machine is in no list, and knows itself', async () => {
  const { services, users, list } = await aService();
  await users.setLocalKey(userId, { hash: hashOfKey('local'), onlyFrom: ['127.0.0.1'] });
  const local = { userId, apiKey: 'local' };
  expect((await list(local)).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([[firstId, false]]);
  expect(await currentKey(services, local)).toMatchObject({
    key: { name: 'Commands on the machine of the service', scopes: Scope.options, isCurrent: true },
    user: { username: 'ann' },
  });
});

test('a use that two instances store counts once an hour', async () => {
  const { users, create, list } = await aService();
  const { secret, key } = await create(['read']);
  for (const at of [1_000, 1_001, HOUR + 999]) await users.storeUse(hashOfKey(secret), at);
  expect((await list()).find(({ id }) => id === key.id)?.lastUsedAt).toBe(1_000);
});

test('an earlier release, which knows no scopes, refuses a key with scopes and a replaced secret', async () => {
  const { services, create } = await aService();
  const { secret } = await create(['read']);
  await rotateApiKey(services, first, { id: firstId, overlapMs: HOUR });
  const items = await services.keyLists.found([secret, 'first'].map(hashOfKey));
  // It takes a key from these addresses only.
  expect([...items.values()].map(({ onlyFrom }) => onlyFrom)).toEqual([[], []]);
});

test('a use is stored with its key, once an hour, and shown in the list', async () => {
  const { clock, authenticate, create, list } = await aService();
  const { secret, key } = await create(['read']);
  const lastUse = async () => (await list()).find(({ id }) => id === key.id)?.lastUsedAt;
  expect(await lastUse()).toBeUndefined();
  const began = clock.now();
  await authenticate(secret);
  clock.advance(HOUR - 1);
  await authenticate(secret);
  expect(await lastUse()).toBe(began);
  clock.advance(1);
  await authenticate(secret);
  expect(await lastUse()).toBe(began + HOUR);
});

test('the keys of a removed user end, with their list', async () => {
  const { services, table, users, works, create } = await aService();
  const manager = await create(['manage']);
  const rotated = await rotateApiKey(services, first, { id: manager.key.id, overlapMs: HOUR });
  await users.removeListedKeys(userId);
  expect(await Promise.all([manager.secret, rotated.secret].map(works))).toEqual([false, false]);
  expect(await keyLists(table).read(userId)).toMatchObject({ version: 0, keys: [], retired: [] });
});

test('a first key that got its earlier secret back during an overlap is rotated and deleted as any other', async () => {
  const { clock, services, users, create, list, works } = await aService();
  await rotateApiKey(services, first, { id: firstId, overlapMs: HOUR });
  // As a start with the setting `API_KEY` does.
  await users.rotateKey(userId, hashOfKey('first'));
  const manager = callerOf(await create(Scope.options));
  expect((await list()).map(({ overlapUntil }) => overlapUntil)).toEqual([undefined, undefined]);
  const rotated = await rotateApiKey(services, first, { id: firstId, overlapMs: HOUR });
  expect(rotated.key.overlapUntil).toBe(clock.now() + HOUR);
  await users.rotateKey(userId, hashOfKey('first'));
  await deleteApiKey(services, manager, firstId);
  expect(await works('first')).toBe(false);
});

test('a first key that gets the earlier secret of another key outlives that key', async () => {
  const { services, users, create, works, list } = await aService();
  const other = await create(['read']);
  await rotateApiKey(services, first, { id: other.key.id, overlapMs: HOUR });
  await users.rotateKey(userId, hashOfKey(other.secret));
  expect((await list(callerOf(other))).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
    [other.key.id, false],
    [firstId, true],
  ]);
  await deleteApiKey(services, callerOf(other), other.key.id);
  expect(await works(other.secret)).toBe(true);
});

test('the list of keys forgets secrets whose overlap is over', async () => {
  const { clock, services, create } = await aService();
  const { key } = await create(['read'], first, clock.now() + 2 * HOUR);
  await rotateApiKey(services, first, { id: key.id, overlapMs: HOUR });
  clock.advance(HOUR);
  await create(['read']);
  expect((await services.keyLists.read(userId)).retired).toEqual([]);
});
