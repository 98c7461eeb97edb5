import { expect, test } from 'vitest';
import type { SourceItem, WebhookItem } from '../../../../functions/console/app/api/wire.ts';
import { troubleOf } from '../../../../functions/console/app/pages/subscriptions/trouble-of.ts';

const ENTRY = { id: 'x', name: 'x', href: '/x' };
// Only these members are read.
const ofWebhook = (webhook: Partial<WebhookItem>) => troubleOf({ ...ENTRY, item: { webhook: webhook as WebhookItem } });
const ofSource = (source: Partial<SourceItem>) => troubleOf({ ...ENTRY, item: { source: source as SourceItem } });

test('the map says which webhooks are off or fail', () => {
  expect(ofWebhook({ active: true, failing_since_ms: null })).toBeUndefined();
  expect(ofWebhook({ active: true, failing_since_ms: 1 })).toBe('failing');
  expect(ofWebhook({ active: false, failing_since_ms: 1 })).toBe('off');
  expect(troubleOf({})).toBeUndefined();
});

test('the map says which sources are off, or had errors in the last ten minutes', () => {
  expect(ofSource({ state: 'active', last_error_ms: null })).toBeUndefined();
  expect(ofSource({ state: 'active', last_error_ms: Date.now() - 60_000 })).toBe('errors');
  expect(ofSource({ state: 'active', last_error_ms: Date.now() - 3_600_000 })).toBeUndefined();
  expect(ofSource({ state: 'failed', last_error_ms: null })).toBe('off');
});
