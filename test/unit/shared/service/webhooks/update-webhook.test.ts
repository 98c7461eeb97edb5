import { expect, test } from 'vitest';
import { UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import type { RetryMessage } from '../../../../../shared/domain/run/message.ts';
import type { Breaker } from '../../../../../shared/domain/webhook/breaker.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { webhookSettingsOf } from '../../../../../shared/http/settings/webhook-settings.ts';
import { updateWebhook } from '../../../../../shared/service/webhooks/update-webhook.ts';
import { aWebhook } from '../../../../support/a-webhook.ts';

async function sentAfter(
  isActive: boolean,
  update: Parameters<typeof webhookSettingsOf>[0],
  breaker?: Breaker,
): Promise<RetryMessage['kind'][]> {
  const sealed = { dataKey: 'k', nonce: 'n', text: 'x' };
  const id = WebhookId.parse('wh_1');
  const health = { ...HEALTHY, breaker };
  const webhook = aWebhook({ id, ownerId: UserId.parse('u_1'), active: isActive, health });
  const sent: RetryMessage['kind'][] = [];
  await updateWebhook(
    {
      webhooks: {
        find: () => Promise.resolve(webhook),
        change: (read, change) => Promise.resolve({ ...read, ...change } as typeof webhook),
      },
      vault: { encrypt: () => Promise.resolve(sealed) },
      headersOf: () => Promise.resolve([]),
      sendRetry: async ({ kind }) => void sent.push(kind),
      now: () => 0,
    },
    webhook,
    webhookSettingsOf(update),
  );
  return sent;
}

test('switching a webhook on sends what waits and was not held: its worker ended while the webhook was off', async () => {
  expect(await sentAfter(false, { active: true })).toEqual(['drain']);
  expect(await sentAfter(true, { active: false })).toEqual(['hold']);
  expect(await sentAfter(true, { name: 'n' })).toEqual([]);
});

test('a request that is repeated sends the same again: the first one may have died after its change', async () => {
  expect(await sentAfter(true, { active: true })).toEqual(['drain']);
  expect(await sentAfter(false, { active: false })).toEqual(['hold']);
});

test('an open breaker has its probe: only another URL, or switching on, begins the drain', async () => {
  const breaker = { openedAt: 0, probe: 1, probeAt: 1 };
  expect(await sentAfter(true, { active: true }, breaker)).toEqual([]);
  expect(await sentAfter(true, { name: 'n' }, breaker)).toEqual([]);
  expect(await sentAfter(true, { url: 'https://example.com/other' }, breaker)).toEqual(['drain']);
  expect(await sentAfter(false, { url: 'https://example.com/other' }, breaker)).toEqual([]);
  expect(await sentAfter(false, { active: true }, breaker)).toEqual(['drain']);
});
