import { expect, test } from 'vitest';
import { deliveryIdOf } from '../../../../shared/domain/delivery.ts';
import { EventId } from '../../../../shared/domain/event-id.ts';
import { EmitterId, UserId, WebhookId } from '../../../../shared/domain/id.ts';
import { fromLogItem, type LoggedSuccess, toLogItems } from '../../../../shared/store/delivery-log-item.ts';

const webhookId = WebhookId.parse('wh_aaaaaa');

const success = (eventId: string, emitId: string): LoggedSuccess => ({
  webhookId,
  ownerId: UserId.parse('u_aaaaaa'),
  emitterId: EmitterId.parse('dc_aaaaaa'),
  stream: 'default',
  eventId: EventId.parse(eventId),
  emitId,
  at: 1_900_000_000_000,
  status: 200,
  ms: 1,
});

const idsOf = (successes: readonly LoggedSuccess[]): string[] =>
  successes
    .map((each) => deliveryIdOf(each, webhookId))
    .sort()
    .toReversed();

test.each([
  ['events of several emitters at one moment', ['1900000000000-7', '1900000000000-7', '1900000000000-7']],
  [
    'sequences that ids cannot tell apart',
    ['1900000000000-70000000000', '1900000000000-90000000000', '1900000000000-80000000000'],
  ],
  ['events in any order', ['1900000000002-1', '1900000000000-9', '1900000000002-0']],
])('the key of an item is its greatest delivery id, and it lists them newest first: %s', (_, events) => {
  const successes = events.map((event, index) => success(event, `emit-${index}`));
  const [item] = toLogItems(successes, 0);
  expect(item?.['sk']).toMatch(new RegExp(`^${idsOf(successes)[0]}`));
  expect(fromLogItem(webhookId, item).map(({ id }) => id)).toEqual(idsOf(successes));
});
