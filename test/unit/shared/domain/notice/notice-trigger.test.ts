import { expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import type { Notice } from '../../../../../shared/domain/notice/notice.ts';
import { noticeTrigger } from '../../../../../shared/domain/notice/notice-trigger.ts';
import { isNoticesIdOf, noticesIdOf } from '../../../../../shared/domain/notice/notices-emitter.ts';
import { EmitTrigger } from '../../../../../shared/domain/run/message.ts';
import { HOUR_MS } from '../../../../../shared/lib/durations.ts';

const ownerId = UserId.parse('u_1');
const notice = (more: Partial<Notice> = {}): Notice => ({
  name: 'webhook.failing',
  ownerId,
  subject: { id: 'wh_1', name: 'orders' },
  what: 'It answers 500.',
  since: Date.UTC(2026, 10, 27, 11, 2),
  ...more,
});
const idAt = (now: number, more: Partial<Notice> = {}) => noticeTrigger(notice(more), now).id;

test('a notice is an event on the stream of its name, with id, name, what and since', () => {
  const trigger = noticeTrigger(notice(), 5);
  expect(EmitTrigger.parse(trigger)).toEqual(trigger);
  expect(trigger).toMatchObject({ emitterId: noticesIdOf(ownerId), stream: 'webhook.failing', at: 5 });
  expect(trigger.emit?.summary).toBe('orders: It answers 500.');
  expect(trigger.payload).toEqual({
    json: '{"id":"wh_1","name":"orders","what":"It answers 500.","since":"2026-11-27T11:02:00.000Z"}',
  });
});

test('the id is the same for one subject, name and hour, whatever the text', () => {
  expect(idAt(HOUR_MS, { what: 'other' })).toBe(idAt(2 * HOUR_MS - 1));
  const others = [
    idAt(2 * HOUR_MS),
    idAt(HOUR_MS, { name: 'webhook.recovered' }),
    idAt(HOUR_MS, { subject: { id: 'wh_2', name: 'orders' } }),
  ];
  expect(new Set([idAt(HOUR_MS), ...others]).size).toBe(4);
});

test('a quota is reached once a day', () => {
  const quota = { name: 'quota.reached' } as const;
  expect(idAt(0, quota)).toBe(idAt(23 * HOUR_MS, quota));
  expect(idAt(0, quota)).not.toBe(idAt(24 * HOUR_MS, quota));
});

test('texts of any length make a message of limited size', () => {
  const { payload } = noticeTrigger(
    notice({ what: 'x'.repeat(1e6), subject: { id: 'wh_1', name: 'y'.repeat(1e6) } }),
    0,
  );
  expect(JSON.stringify(payload).length).toBeLessThan(1_000);
});

test('the id of the emitter follows from the user, and is no other user’s', () => {
  const id = noticesIdOf(ownerId);
  expect(id).toMatch(/^dc_notices[0-9a-f]{32}$/);
  expect(isNoticesIdOf(id, ownerId)).toBe(true);
  expect(isNoticesIdOf(id, UserId.parse('u_2'))).toBe(false);
  expect(isNoticesIdOf('dc_0mvx3k2p9a1b2c3d4e5f6g7h', ownerId)).toBe(false);
});
