import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { headersByName } from '../../../../../shared/lib/header-list.ts';
import { SourceId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { attemptHeaders, decryptTarget } from '../../../../../shared/service/delivery/http-target.ts';

const target = {
  name: null,
  listenerId: WebhookId.parse('wh_0123456789'),
  ownerId: UserId.parse('u_0123456789'),
  url: 'https://receiver.test/hook',
  secrets: [],
  active: true,
  rateLimit: null,
  retrySeconds: null,
  ordered: false,
  format: 'event' as const,
  target: null,
  health: HEALTHY,
  suspectUntil: 0,
};
const event = { emitId: 'emit-1', emitterId: SourceId.parse('dc_0123456789'), stream: 'default' };

test('during a rotation both secrets sign every attempt', async () => {
  const secrets = [`whsec_${randomBytes(32).toString('base64')}`, `whsec_${randomBytes(32).toString('base64')}`];
  const rotating = { ...target, secrets };
  const decrypted = await decryptTarget(
    { secretOf: (_, secret) => Promise.resolve(String(secret)), headersOf: () => Promise.resolve([]) },
    rotating,
  );
  const body = Buffer.from('{}');
  const headers = headersByName(attemptHeaders(decrypted, event, { body, now: Date.now() }));
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual({});
});

test('custom headers of a webhook are sent, and replace none of the service', async () => {
  const own: [string, string][] = [
    ['Authorization', 'Bearer mine'],
    ['Webhook-Id', 'other'],
    ['user-agent', 'other'],
  ];
  const decrypted = await decryptTarget({ secretOf: () => Promise.reject(), headersOf: async () => own }, target);
  const list = attemptHeaders(decrypted, event, { body: Buffer.from('{}'), now: 0 });
  const headers = headersByName(list);
  expect(headers).toMatchObject({ Authorization: 'Bearer mine', 'webhook-id': 'emit-1' });
  expect(headers['user-agent']).toMatch(/^Tributary\//);
  expect(list.filter((text) => text.toLowerCase() === 'webhook-id')).toHaveLength(1);
});
