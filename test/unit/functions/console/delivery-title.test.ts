import { expect, test } from 'vitest';
import type { ShownDelivery } from '../../../../functions/console/app/api/delivery-api.ts';
import { deliveryTitle } from '../../../../functions/console/app/pages/webhooks/delivery/delivery-title.ts';

const titleOf = (stream: string, json: string | undefined) =>
  deliveryTitle({ event_name: stream, json } as ShownDelivery, 'crm');

test.each([
  ['', '{"type":"order.created","order":{"total":9},"id":4}', 'order.created 4 → crm'],
  ['order.created', '{"id":4}', 'order.created 4 → crm'],
  ['', '{"order":16,"total":56}', 'order 16 → crm'],
  ['', '{}', 'default → crm'],
  ['', undefined, 'default → crm'],
  ['$test', '{"test":true}', 'test → crm'],
])('the title of a delivery names its event and its webhook: %s %s', (stream, json, title) => {
  expect(titleOf(stream, json)).toBe(title);
});

test('a long event is cut', () => {
  expect(titleOf('', `{"text":"${'x'.repeat(100)}","more":"${'y'.repeat(100)}"}`).length).toBeLessThan(70);
});
