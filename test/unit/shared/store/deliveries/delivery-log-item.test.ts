import { expect, test } from 'vitest';
import { deliveryIdOf } from '../../../../../shared/domain/delivery/delivery.ts';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { EmitterId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import {
  fromLogItem,
  type LoggedSuccess,
  toLogItems,
} from '../../../../../shared/store/deliveries/delivery-log-item.ts';

const webhookId = WebhookId.parse('wh_aaaaaa');

/** `dl_`, nine digits of the time, five of the sequence. */
const PREFIX_LENGTH = 17;

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
  ['events in any order', ['1900000000000-9', '1900000000002-1', '1900000000002-0']],
])('the key of an item sorts just after its greatest delivery id, and it lists them newest first: %s', (_, events) => {
  const successes = events.map((event, index) => success(event, `emit-${index}`));
  const [item] = toLogItems(successes, 0);
  const key = String(item?.['sk']);
  const [greatest = ''] = idsOf(successes);
  expect(key.startsWith(greatest.slice(0, PREFIX_LENGTH))).toBe(true);
  expect(key > greatest).toBe(true);
  expect(fromLogItem(webhookId, item).map(({ id }) => id)).toEqual(idsOf(successes));
});

test('two items whose newest events came at one moment have different keys', () => {
  const keyOf = (emitId: string) => toLogItems([success('1900000000000-7', emitId)], 0)[0]?.['sk'];
  expect(keyOf('emit-1')).not.toBe(keyOf('emit-2'));
  expect(keyOf('emit-1')).toBe(keyOf('emit-1'));
});

test('an item keeps the responses of those deliveries that have one', () => {
  const headers: [string, string][] = [['content-type', 'text/plain']];
  const response = { headers };
  const [item] = toLogItems(
    [success('1900000000000-1', 'emit-1'), { ...success('1900000000000-2', 'emit-2'), response }],
    0,
  );
  expect(fromLogItem(webhookId, item).map(({ lastAttempt }) => lastAttempt?.headers)).toEqual([headers, undefined]);
});
