import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { headersByName } from '../../../../../shared/lib/header-list.ts';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { deliveryHeaders, signingKey } from '../../../../../shared/domain/delivery/signature.ts';
import { VERSION } from '../../../../../shared/domain/version.ts';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const headersOf = (...of: Parameters<typeof deliveryHeaders>) => headersByName(deliveryHeaders(...of));
const event = {
  emitterId: SourceId.parse('dc_0123456789'),
  stream: 'default',
  eventId: EventId.parse('1700000000000-3'),
  emitId: 'AbCdEfGhIjKlMnOpQrStUv',
  body: '{"b":1,"a":"ü \\u0000"}',
};

describe('a delivery', () => {
  test('verifies with the receiver library of Standard Webhooks', () => {
    const own = secret();
    const headers = headersOf(event, { body: event.body, keys: [signingKey(own)], now: Date.now() });
    expect(new Webhook(own).verify(event.body, headers)).toEqual(JSON.parse(event.body));
    expect(() => new Webhook(secret()).verify(event.body, headers)).toThrow();
    expect(() => new Webhook(own).verify(`${event.body} `, headers)).toThrow();
  });

  /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
  test('has the signature that Standard Webhooks prints for its example', () => {
    const headers = headersOf(
      { ...event, emitId: 'msg_p5jXN8AQM9LWM0D4loKWxJek' },
      {
        body: '{"test": 2432232314}',
        keys: [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
        now: 1_614_265_330_000,
      },
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('is signed with every secret while one is rotated out', () => {
    const secrets = [secret(), secret()];
    const headers = headersOf(event, { body: event.body, keys: secrets.map(signingKey), now: Date.now() });
    for (const own of secrets) expect(new Webhook(own).verify(event.body, headers)).toBeTruthy();
  });

  test('carries the headers of docs/delivery.md and no other', () => {
    const headers = headersOf(event, {
      body: event.body,
      keys: [signingKey(secret())],
      now: 1_700_000_000_999,
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': event.emitId,
      'webhook-timestamp': '1700000000',
      'x-tributary-emitter': 'dc_0123456789',
      'x-tributary-event-name': 'default',
      'x-tributary-event-id': '1700000000000-3',
      'user-agent': `Tributary/${VERSION}`,
    });
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(Object.keys(headers)).toHaveLength(9);
  });

  test.each([
    ['$errors', '$errors'],
    ['new item', 'new%20item'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['a\r\nx-evil: 1', 'a%0D%0Ax-evil%3A%201'],
  ])('the stream %j becomes the header %j', (stream, expected) => {
    const headers = headersOf({ ...event, stream }, { body: event.body, keys: [signingKey(secret())], now: 0 });
    expect(headers['x-tributary-event-name']).toBe(expected);
  });
});

test('the version is the one of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});
