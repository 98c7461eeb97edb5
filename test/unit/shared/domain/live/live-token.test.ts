import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { claimsOf, hasTokenSignature, signedToken } from '../../../../../shared/domain/live/live-token.ts';

const NOW = 1_000_000;
const claims = {
  userId: UserId.parse('u_aaaaaa'),
  emitterId: SourceId.parse('dc_aaaaaa'),
  stream: 'Straße ✓',
  until: NOW + 60_000,
  maxStreams: 3,
  id: 'random',
};
const token = signedToken(claims, 'hash of a key');

test('a token has its claims, and is signed with one key', () => {
  expect(claimsOf(token, NOW)).toEqual(claims);
  expect(hasTokenSignature(token, 'hash of a key')).toBe(true);
  expect(hasTokenSignature(token, 'hash of the next key')).toBe(false);
});

test('a token ends with its time, and one that would live for more than a day is none', () => {
  expect(claimsOf(token, NOW + 59_999)).toEqual(claims);
  expect(claimsOf(token, NOW + 60_000)).toBeUndefined();
  const long = signedToken({ ...claims, until: NOW + 86_400_001 }, 'hash of a key');
  expect(claimsOf(long, NOW)).toBeUndefined();
});

test('a changed token is not valid', () => {
  const [head = '', signature = ''] = token.split('.');
  const other = signedToken({ ...claims, emitterId: SourceId.parse('dc_bbbbbb') }, 'hash of another key');
  expect(hasTokenSignature(`${other.split('.')[0] ?? ''}.${signature}`, 'hash of a key')).toBe(false);
  for (const text of ['', 'lt_', head, `${head}.`, `${head}.x`, `lt_!!.${signature}`, `lt_bm90IEpTT04.${signature}`])
    expect(claimsOf(text, NOW)).toBeUndefined();
});
