import { expect, test } from 'vitest';
import { UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { checkPortalChange } from '../../../../../shared/http/settings/portal-link.ts';
import { aWebhook } from '../../../../support/a-webhook.ts';

const own = { id: WebhookId.parse('wh_1'), ownerId: UserId.parse('u_1') };
const target = { kind: 'queue', arn: 'arn:aws:sqs:us-east-1:111122223333:q', roleArn: null } as const;
const headers = { dataKey: 'k', nonce: 'n', text: 'x' };

test.each([
  ['a target', { target }],
  ['headers', { headers }],
])('a customer does not change the address of a webhook with %s', (_what, settings) => {
  const webhook = aWebhook({ ...own, ...settings });
  expect(() => checkPortalChange({ url: 'https://example.org' }, webhook)).toThrow('ask its owner');
  expect(() => checkPortalChange({ active: false }, webhook)).not.toThrow();
});

test('a customer changes the address of another webhook', () => {
  expect(() => checkPortalChange({ url: 'https://example.org' }, aWebhook(own))).not.toThrow();
});
