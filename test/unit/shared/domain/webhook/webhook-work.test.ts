import { expect, test } from 'vitest';
import { WebhookId } from '../../../../../shared/domain/id.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { webhookWork, workMessage } from '../../../../../shared/domain/webhook/webhook.ts';

const listenerId = WebhookId.parse('wh_1');
const breaker = { openedAt: 1, probe: 3, probeAt: 2 };
const messageOf = (active: boolean, open: boolean) =>
  workMessage(listenerId, webhookWork({ active, health: open ? { ...HEALTHY, breaker } : HEALTHY }));

test('an inactive webhook holds its deliveries, also while its breaker is open', () => {
  expect(messageOf(false, false)).toEqual({ kind: 'hold', listenerId });
  expect(messageOf(false, true)).toEqual({ kind: 'hold', listenerId });
});

test('an open breaker gets the next probe by its number', () => {
  expect(messageOf(true, true)).toEqual({ kind: 'probe', listenerId, probe: 3 });
});

test('an active webhook without an open breaker is drained, although it failed', () => {
  expect(messageOf(true, false)).toEqual({ kind: 'drain', listenerId });
  expect(webhookWork({ active: true, health: { ...HEALTHY, recent: [1], failingSince: 1 } }).kind).toBe('drain');
});

test('a webhook of a suspended user holds its deliveries, whatever its owner sets', () => {
  const suspended = { active: true, suspendedAt: 1, health: { ...HEALTHY, breaker } };
  expect(webhookWork(suspended)).toEqual({ kind: 'hold' });
});
