import { expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../shared/domain/id.ts';
import { liveRequest } from '../../../../shared/http/live-request.ts';
import { sourceKey } from '../../../../shared/store/table/keys.ts';

const emitterId = SourceId.parse('dc_aaaaaa');
const userId = UserId.parse('u_aaaaaa');
const live = { userId, emitterId, stream: 'default', until: 1, maxStreams: 3, id: '' };

const requestBy = (apiKey: string, clientIp: string, claims: typeof live | null = live) =>
  liveRequest(
    {
      input: {},
      caller: { userId, apiKey, keyHash: 'hash', scopes: ['read'], ...(claims ? { live: claims } : {}) },
      fields: { include: [], exclude: [] },
      header: () => undefined,
      client: undefined,
      clientIp,
    },
    { emitterId, owner: { key: sourceKey(emitterId), isValid: () => Promise.resolve(true) }, isPoll: false },
  );

test('streams of one token have its hash and its limit, those of a key have neither', () => {
  const [first, again, other] = ['a', 'a', 'b'].map((token) => requestBy(`lt_${token}`, '192.0.2.1').token);
  expect(first).toEqual(again);
  expect(first?.maxStreams).toBe(3);
  expect(other?.hash).not.toBe(first?.hash);
  expect(requestBy('key', '192.0.2.1', null).token).toBeUndefined();
});

test('a client has all addresses of its IPv6 network', () => {
  const addressOf = (ip: string) => requestBy('lt_a', ip).address;
  expect(addressOf('2001:db8:0:1::1')).toBe(addressOf('2001:db8:0:1:ffff::2'));
  expect(addressOf('2001:db8:0:2::1')).not.toBe(addressOf('2001:db8:0:1::1'));
  expect(addressOf('192.0.2.1')).not.toBe(addressOf('192.0.2.2'));
});
