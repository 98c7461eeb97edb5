import { expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import { healthNotice } from '../../../../../shared/domain/notice/webhook-notices.ts';
import { healthAfter, type RecordedResult } from '../../../../../shared/domain/webhook/health-change.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';

const NOW = Date.UTC(2031, 2, 1);
const webhook = {
  id: 'wh_aaaaaa',
  ownerId: UserId.parse('u_aaaaaa'),
  name: 'orders',
  url: 'https://shop.example/hooks',
  active: true,
};
const changeAfter = (...attempts: RecordedResult[]) =>
  healthAfter(HEALTHY, { attempts, lastSuccess: undefined, now: NOW });
const rejected = (status: number, more: Partial<RecordedResult> = {}): RecordedResult => ({
  at: NOW - 10,
  outcome: 'rejected',
  status,
  ms: 5,
  ...more,
});
const LOCATION: RecordedResult['headers'] = [['location', 'https://new.example/hooks?token=secret']];

test('the notice of a redirect names the new address, without its query', () => {
  const change = changeAfter(rejected(302, { headers: LOCATION }));
  expect(change.redirect).toBe('https://new.example/hooks');
  expect(healthNotice(webhook, change, NOW)?.what).toBe(
    'It answers 302, a redirect to https://new.example/hooks; redirects are not followed.',
  );
});

test('an earlier redirect is not named after another response', () => {
  const change = changeAfter(rejected(302, { headers: LOCATION }), rejected(500, { at: NOW - 5 }));
  expect(healthNotice(webhook, change, NOW)?.what).toBe('It answers 500.');
});
