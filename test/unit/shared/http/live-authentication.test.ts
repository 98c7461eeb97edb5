import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../shared/domain/id.ts';
import { signedToken } from '../../../../shared/domain/live/live-token.ts';
import { hashOfKey } from '../../../../shared/domain/user/key-hash.ts';
import type { Credentials } from '../../../../shared/http/authentication.ts';
import { createLiveAuthenticator } from '../../../../shared/http/live-authentication.ts';
import type { UserLookup } from '../../../../shared/store/users/users.ts';

const userId = UserId.parse('u_aaaaaa');
const keyHash = hashOfKey('key');
const claims = { userId, emitterId: SourceId.parse('dc_aaaaaa'), stream: 'default', until: 2, maxStreams: 3, id: 'a' };
const query = new URLSearchParams({ token: signedToken(claims, keyHash) }).toString();

const authenticate = createLiveAuthenticator({
  byKey: ({ authorization = '' }) => Promise.reject(new Error(`by key: ${authorization}`)),
  users: { find: () => Promise.resolve({ keyHash }) } as unknown as Pick<UserLookup, 'find'>,
  now: () => 1,
});
const callerOf = (authorization: string | undefined, text = query) =>
  authenticate({ authorization, query: text } as Credentials);

/** The header that CloudFront puts in the place of the viewer's. */
const signature = 'AWS4-HMAC-SHA256 Credential=AKIA/20261130/us-east-1/lambda/aws4_request, Signature=0';

test.each([undefined, signature])('a token is taken beside the header Authorization %s', async (authorization) => {
  expect(await callerOf(authorization)).toMatchObject({ userId, live: { stream: 'default', keyHash } });
});

test.each([
  ['a key beside a token', 'Bearer key', query],
  ['a signature without a token', signature, ''],
])('%s is authenticated as a key', async (_what, authorization, text) => {
  await expect(callerOf(authorization, text)).rejects.toThrow(`by key: ${authorization}`);
});
