import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, type WebhookHeaders } from '../../../../shared/client/verify-webhook.ts';
import { headersByName } from '../../../../shared/lib/header-list.ts';
import { EmitterId } from '../../../../shared/domain/id.ts';
import { deliveryHeaders, signingKey } from '../../../../shared/domain/delivery/signature.ts';
import { DEFAULT_STREAM } from '../../../../shared/domain/event/stream.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [current, previous, other] = [secretOf(1), secretOf(2), secretOf(3)];
const now = Date.parse('2026-11-22T12:00:00Z');
const body = '{"name":"Ada ✓"}';

const headersSignedWith = (...secrets: string[]): Record<string, string> =>
  headersByName(
    deliveryHeaders(
      {
        emitId: 'emit-1',
        emitterId: EmitterId.parse('dc_0000000000000000000000000'),
        stream: DEFAULT_STREAM,
      },
      { keys: secrets.map(signingKey), body, now },
    ),
  );
const headers = headersSignedWith(current);
const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

const reasonOf = (change: Partial<Parameters<typeof verifyWebhook>[0]>) =>
  verifyWebhook({ headers, body, secret: current, now, ...change }).then(
    () => 'accepted',
    (error: unknown) => (error as { reason: string }).reason,
  );

describe('a delivery of the service is accepted', () => {
  test.each<[string, WebhookHeaders]>([
    ["in the form of Node's request.headers", headers],
    ['in the form of the Fetch API', new Headers(headers)],
    ['whatever the case of the names', { ...mapNames(headers, (name) => name.toUpperCase()) }],
  ])('with headers %s, and gives its event', async (_, form) => {
    expect(await verifyWebhook({ headers: form, body, secret: current, now })).toEqual({
      id: 'emit-1',
      sentAt: new Date(now),
      event: { name: 'Ada ✓' },
    });
  });

  test.each([
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer that is part of a larger one', Buffer.from(`xx${body}`).subarray(2)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('with a body of %s', async (_, bytes) => {
    expect(await reasonOf({ body: bytes })).toBe('accepted');
  });

  test('during a rotation, with the new secret and with the one before', async () => {
    const both = headersSignedWith(current, previous);
    expect(await reasonOf({ headers: both, secret: current })).toBe('accepted');
    expect(await reasonOf({ headers: both, secret: previous })).toBe('accepted');
    expect(await reasonOf({ headers: both, secret: other })).toBe('wrong_signature');
  });

  test('if one of several secrets matches', async () => {
    expect(await reasonOf({ secret: [other, current] })).toBe('accepted');
    expect(await reasonOf({ secret: [other, previous] })).toBe('wrong_signature');
  });

  test('also when another library of Standard Webhooks signed it', async () => {
    const signature = new Webhook(current).sign('msg_1', new Date(now), body);
    const signed = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now / 1_000),
      'webhook-signature': `v2,AAAA v1a,AAAA v1,%% v1,AAAA ${signature}`,
    };
    expect(await reasonOf({ headers: signed })).toBe('accepted');
  });
});

describe('a request is refused', () => {
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', async (name) => {
    expect(await reasonOf({ headers: without(name) })).toBe('missing_header');
  });

  test('with another id, time or body than was signed', async () => {
    expect(await reasonOf({ headers: { ...headers, 'webhook-id': 'emit-2' } })).toBe('wrong_signature');
    const later = String(now / 1_000 + 1);
    expect(await reasonOf({ headers: { ...headers, 'webhook-timestamp': later } })).toBe('wrong_signature');
    expect(await reasonOf({ body: `${body} ` })).toBe('wrong_signature');
  });

  test('more than 300 s before or after its time, unless another tolerance is set', async () => {
    expect(await reasonOf({ now: now + 300_000 })).toBe('accepted');
    expect(await reasonOf({ now: now + 301_000 })).toBe('too_old');
    expect(await reasonOf({ now: now - 300_000 })).toBe('accepted');
    expect(await reasonOf({ now: now - 301_000 })).toBe('too_new');
    expect(await reasonOf({ now: now + 11_000, toleranceSeconds: 10 })).toBe('too_old');
  });

  test.each(['', 'tomorrow', '-1', '1e9', 'NaN', ' 1', '9'.repeat(40)])('with the time %j', async (timestamp) => {
    expect(await reasonOf({ headers: { ...headers, 'webhook-timestamp': timestamp } })).toMatch(
      /^(?:invalid_timestamp|missing_header)$/,
    );
  });

  test.each(['', 'whsec_', 'whsec_ß', 'a secret'])('with the secret %j, which is none', async (secret) => {
    expect(await reasonOf({ secret })).toBe('invalid_secret');
  });

  test('without any secret', async () => {
    expect(await reasonOf({ secret: [] })).toBe('wrong_signature');
  });

  test('with a signed body that is not JSON', async () => {
    const signature = new Webhook(current).sign('msg_1', new Date(now), 'hello');
    const signed = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now / 1_000),
      'webhook-signature': signature,
    };
    expect(await reasonOf({ headers: signed, body: 'hello' })).toBe('invalid_body');
  });
});

function mapNames(from: Record<string, string>, change: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [change(name), value]));
}
