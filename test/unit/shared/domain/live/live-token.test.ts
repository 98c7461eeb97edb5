import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { liveTokens } from '../../../../../shared/domain/live/live-token.ts';
import { hasTokenSignature } from '../../../../../shared/domain/user/signed-token.ts';

const NOW = 1_000_000;
const claims = {
  userId: UserId.parse('u_aaaaaa'),
  emitterId: SourceId.parse('dc_aaaaaa'),
  stream: 'Straße ✓',
  until: NOW + 60_000,
  maxStreams: 3,
  id: 'random',
};
const token = liveTokens.sign(claims, 'hash of a key');

test('a token has its claims, and is signed with one key', () => {
  expect(liveTokens.claimsOf(token, NOW)).toEqual(claims);
  expect(hasTokenSignature(token, 'hash of a key')).toBe(true);
  expect(hasTokenSignature(token, 'hash of the next key')).toBe(false);
});

test('a token ends with its time, and one that would live for more than a day is none', () => {
  expect(liveTokens.claimsOf(token, NOW + 59_999)).toEqual(claims);
  expect(liveTokens.claimsOf(token, NOW + 60_000)).toBeUndefined();
  const long = liveTokens.sign({ ...claims, until: NOW + 86_400_001 }, 'hash of a key');
  expect(liveTokens.claimsOf(long, NOW)).toBeUndefined();
});

test('a changed token is not valid', () => {
  const [head = '', signature = ''] = token.split('.');
  const other = liveTokens.sign({ ...claims, emitterId: SourceId.parse('dc_bbbbbb') }, 'hash of another key');
  expect(hasTokenSignature(`${other.split('.')[0] ?? ''}.${signature}`, 'hash of a key')).toBe(false);
  for (const text of ['', 'lt_', head, `${head}.`, `${head}.x`, `lt_!!.${signature}`, `lt_bm90IEpTT04.${signature}`])
    expect(liveTokens.claimsOf(text, NOW)).toBeUndefined();
});
