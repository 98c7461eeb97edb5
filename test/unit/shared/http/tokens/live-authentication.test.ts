import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { liveTokens } from '../../../../../shared/domain/live/live-token.ts';
import type { ApiKey } from '../../../../../shared/domain/user/api-key.ts';
import { hashOfKey } from '../../../../../shared/domain/user/key-hash.ts';
import type { Credentials } from '../../../../../shared/http/authentication.ts';
import { createLiveAuthenticator } from '../../../../../shared/http/tokens/live-authentication.ts';
import type { UserLookup } from '../../../../../shared/store/users/users.ts';

const userId = UserId.parse('u_aaaaaa');
const keyHash = hashOfKey('key');
const claims = { userId, emitterId: SourceId.parse('dc_aaaaaa'), stream: 'default', until: 2, maxStreams: 3, id: 'a' };
const query = new URLSearchParams({ token: liveTokens.sign(claims, keyHash) }).toString();

const users = { find: () => Promise.resolve({ keyHash }) } as unknown as UserLookup;
const authenticate = createLiveAuthenticator({
  byKey: ({ authorization = '' }) => Promise.reject(new Error(`by key: ${authorization}`)),
  users,
  now: () => 1,
});
const callerOf = (authorization: string | undefined, text = query) =>
  authenticate({ authorization, query: text } as Credentials);

/** The header that CloudFront puts in the place of the viewer's. */
const signature = 'AWS4-HMAC-SHA256 Credential=AKIA/20261130/us-east-1/lambda/aws4_request, Signature=0';

test.each([undefined, signature])('a token is taken beside the header Authorization %s', async (authorization) => {
  expect(await callerOf(authorization)).toMatchObject({ userId, keyHash, live: { stream: 'default' } });
});

test.each([
  ['a key beside a token', 'Bearer key', query],
  ['a signature without a token', signature, ''],
])('%s is authenticated as a key', async (_what, authorization, text) => {
  await expect(callerOf(authorization, text)).rejects.toThrow(`by key: ${authorization}`);
});

test('a token of a further key of the user is taken until the key ends, if the key has the scope read', async () => {
  const other = hashOfKey('another key');
  let key: Partial<ApiKey> | undefined = { userId, validUntil: 2 };
  const authenticator = createLiveAuthenticator({
    byKey: () => Promise.reject(new Error('by key')),
    users: {
      ...users,
      listedHashes: () => Promise.resolve([other]),
      findByKeyHash: () => Promise.resolve(key as ApiKey | undefined),
    },
    now: () => 1,
  });
  const text = new URLSearchParams({ token: liveTokens.sign(claims, other) }).toString();
  const open = () => authenticator({ query: text } as Credentials);
  expect(await open()).toMatchObject({ userId, scopes: ['read'], keyHash: other });
  key = { userId, validUntil: 1 };
  await expect(open()).rejects.toMatchObject({ code: 'unauthenticated' });
  // The holder of any key can sign a token.
  for (const scopes of [['metrics'], ['send'], ['manage']] as const) {
    key = { userId, scopes: [...scopes] };
    await expect(open()).rejects.toMatchObject({ code: 'unauthenticated' });
  }
  key = { userId, scopes: ['read'] };
  expect(await open()).toMatchObject({ scopes: ['read'] });
  key = undefined;
  await expect(open()).rejects.toMatchObject({ code: 'unauthenticated' });
});
