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
  pause = () => Promise.resolve(),
  check?: () => void,
): Promise<RetryMessage['kind'][]> {
  let isStale = false;
  const sealed = { dataKey: 'k', nonce: 'n', text: 'x' };
  const id = WebhookId.parse('wh_1');
  const health = { ...HEALTHY, breaker };
  const target = { kind: 'queue', arn: 'arn:aws:sqs:us-east-1:111122223333:q', roleArn: null } as const;
  const webhook = aWebhook({ id, ownerId: UserId.parse('u_1'), active: isActive, health, target });
  const sent: RetryMessage['kind'][] = [];
  await updateWebhook(
    {
      webhooks: {
        find: () => {
          isStale = false;
          return Promise.resolve({ ...webhook });
        },
        change: (read, change) => Promise.resolve(isStale ? undefined : ({ ...read, ...change } as typeof webhook)),
      },
      vault: { encrypt: () => Promise.resolve(sealed) },
      headersOf: () => Promise.resolve([]),
      targetRule: { patterns: [], ownQueues: [] },
      orderedWebhooks: {
        add: () => Promise.resolve(),
        remove: () => Promise.resolve(),
      },
      pause: () => {
        // The health changed meanwhile.
        isStale = true;
        return pause();
      },
      sendRetry: async ({ kind }) => void sent.push(kind),
      now: () => 0,
    },
    webhook,
    webhookSettingsOf(update),
    check,
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

test('an open breaker has its probe: only another URL or target, or switching on, begins the drain', async () => {
  const breaker = { openedAt: 0, probe: 1, probeAt: 1 };
  expect(await sentAfter(true, { active: true }, breaker)).toEqual([]);
  expect(await sentAfter(true, { name: 'n' }, breaker)).toEqual([]);
  expect(await sentAfter(true, { url: 'https://example.com/other', target: null }, breaker)).toEqual(['drain']);
  expect(await sentAfter(true, { target: null }, breaker)).toEqual(['drain']);
  expect(await sentAfter(false, { url: 'https://example.com/other', target: null }, breaker)).toEqual([]);
  expect(await sentAfter(false, { active: true }, breaker)).toEqual(['drain']);
});

test('switching the order on waits once, also when the health of the webhook changes meanwhile', async () => {
  let pauses = 0;
  const pause = async () => void (pauses += 1);
  await sentAfter(true, { ordered: true }, undefined, pause);
  expect(pauses).toBe(1);
});

test('a change is checked against the webhook of the moment, each time that it is tried', async () => {
  let checks = 0;
  await sentAfter(true, { ordered: true }, undefined, undefined, () => void (checks += 1));
  expect(checks).toBe(2);
  const refuse = () => {
    throw new Error('refused');
  };
  await expect(sentAfter(true, { name: 'n' }, undefined, undefined, refuse)).rejects.toThrow('refused');
});
