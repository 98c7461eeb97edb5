import { expect, test } from 'vitest';
import { ApiKeyId, UserId } from '../../../../shared/domain/id.ts';
import { createAuthenticator, senderOf } from '../../../../shared/http/authentication.ts';
import { hashOfKey } from '../../../../shared/domain/user/key-hash.ts';
import { type ApiKey, Scope } from '../../../../shared/domain/user/api-key.ts';
import type { ReplacedKey } from '../../../../shared/store/users/users.ts';

const user = UserId.parse('u_1');

function setting() {
  const known = new Map<string, ApiKey | ReplacedKey>([[hashOfKey('key'), { userId: user }]]);
  const setting = { known, now: 0, reads: 0, uses: [] as number[], isBroken: false };
  const authenticator = createAuthenticator(
    {
      findKey(hash) {
        setting.reads += 1;
        return Promise.resolve(known.get(hash));
      },
      storeUse(_hash, at) {
        setting.uses.push(at);
        return setting.isBroken ? Promise.reject(new Error('no write')) : Promise.resolve();
      },
    },
    () => setting.now,
  );
  const authenticate = (authorization: string, sentFrom?: string) => authenticator({ authorization, sentFrom });
  return { setting, authenticate };
}

test('a key seen within the last 60 s is not looked up again', async () => {
  const { setting: at, authenticate } = setting();
  for (at.now = 0; at.now < 60_000; at.now += 1_000) await authenticate('Bearer key');
  expect(at.reads).toBe(1);
});

test('a rotated key stops within 60 s, a new one works immediately', async () => {
  const { setting: at, authenticate } = setting();
  await authenticate('Bearer key');
  at.known.clear();
  at.known.set(hashOfKey('new'), { userId: user });
  expect(await authenticate('Bearer new')).toEqual({
    userId: user,
    apiKey: 'new',
    keyHash: hashOfKey('new'),
    scopes: Scope.options,
    key: { id: 'key_1', name: 'First key' },
  });
  expect(await authenticate('Bearer key')).toMatchObject({ userId: user });
  at.now = 60_000;
  await expect(authenticate('Bearer key')).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a key that was replaced is refused with the day of its replacement, another one without', async () => {
  const { setting: at, authenticate } = setting();
  at.known.set(hashOfKey('old'), { replacedAt: Date.parse('2026-11-22T10:00:00Z') });
  for (let times = 0; times < 2; times += 1)
    await expect(authenticate('Bearer old')).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('replaced this one on 2026-11-22') as string,
    });
  await expect(authenticate('Bearer older')).rejects.toThrow('This API key is not valid');
});

test('the key of a suspended user stops within 60 s, with a code of its own, and works again at once', async () => {
  const { setting: at, authenticate } = setting();
  await authenticate('Bearer key');
  at.known.set(hashOfKey('key'), { userId: user, suspendedAt: 1 });
  expect(await authenticate('Bearer key')).toMatchObject({ userId: user });
  at.now = 60_000;
  await expect(authenticate('Bearer key')).rejects.toMatchObject({ kind: 'forbidden', code: 'suspended' });
  at.known.set(hashOfKey('key'), { userId: user });
  expect(await authenticate('Bearer key')).toMatchObject({ userId: user });
});

test('a key that was refused is looked up again, so it works as soon as it exists', async () => {
  const { setting: at, authenticate } = setting();
  await expect(authenticate('Bearer later')).rejects.toMatchObject({ kind: 'unauthenticated' });
  at.known.set(hashOfKey('later'), { userId: user });
  expect(await authenticate('Bearer later')).toMatchObject({ userId: user });
});

test('a key of one machine works from its addresses only, whether it was seen before or not', async () => {
  const { setting: at, authenticate } = setting();
  at.known.set(hashOfKey('local'), { userId: user, onlyFrom: ['127.0.0.1', '10.0.0.5'] });
  const refusal = { code: 'unauthenticated', message: expect.stringContaining('machine') as string };
  await expect(authenticate('Bearer local', '10.0.0.6')).rejects.toMatchObject(refusal);
  expect(await authenticate('Bearer local', '127.0.0.1')).toMatchObject({ userId: user });
  expect(await authenticate('Bearer local', '10.0.0.5')).toMatchObject({ userId: user });
  for (const sentFrom of ['10.0.0.6', '', undefined])
    await expect(authenticate('Bearer local', sentFrom)).rejects.toMatchObject(refusal);
  expect(await authenticate('Bearer key', '10.0.0.6')).toMatchObject({ userId: user });
});

test.each([
  ['a request that came directly', { 'x-forwarded-for': '10.0.0.5' }, '10.0.0.5'],
  ['one that a proxy passed on', { 'x-forwarded-for': '127.0.0.1, 10.0.0.5' }, undefined],
  ['one whose proxy names itself otherwise', { 'x-forwarded-for': '10.0.0.5', forwarded: 'for=x' }, undefined],
  ['one without the header of the gateway', {}, undefined],
])('%s has the sender of its connection, or none', (_, headers, sender) => {
  expect(senderOf({ headers, requestContext: { http: { sourceIp: '10.0.0.5' } } })).toBe(sender);
});

const scoped = { id: ApiKeyId.parse('key_1'), userId: user, scopes: ['read'], onlyFrom: [] } satisfies ApiKey;

test('a key has its scopes, from any address', async () => {
  const { setting: at, authenticate } = setting();
  at.known.set(hashOfKey('scoped'), scoped);
  expect(await authenticate('Bearer scoped')).toMatchObject({ userId: user, scopes: ['read'] });
});

test('an expired key is refused at once, and a replaced text at the end of its overlap; both learn why', async () => {
  const { setting: at, authenticate } = setting();
  at.known.set(hashOfKey('scoped'), { ...scoped, validUntil: 1_000 });
  at.known.set(hashOfKey('old'), { ...scoped, validUntil: 1_000, retiredAt: 500 });
  at.now = 999;
  for (const key of ['scoped', 'old']) expect(await authenticate(`Bearer ${key}`)).toMatchObject({ userId: user });
  at.now = 1_000;
  await expect(authenticate('Bearer scoped')).rejects.toThrow('This API key expired on 1970-01-01');
  await expect(authenticate('Bearer old')).rejects.toThrow('A newer API key replaced this one on 1970-01-01');
});

test('a use is stored once an hour, and a request does not fail when it cannot be stored', async () => {
  const { setting: at, authenticate } = setting();
  await authenticate('Bearer key');
  at.known.set(hashOfKey('key'), { userId: user, lastUsedAt: 0 });
  for (at.now = 0; at.now <= 3_600_000; at.now += 30_000) await authenticate('Bearer key');
  expect(at.uses).toEqual([0, 3_600_000]);
  at.isBroken = true;
  at.now = 9_000_000;
  expect(await authenticate('Bearer key')).toMatchObject({ userId: user });
});
