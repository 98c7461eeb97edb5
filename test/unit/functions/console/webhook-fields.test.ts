import { describe, expect, test } from 'vitest';
import {
  changedSettings,
  typedFieldsOf,
  NO_FIELDS,
  settingsOf,
} from '../../../../functions/console/app/pages/webhooks/webhook-fields.ts';
import * as examples from '../../../../shared/http/openapi/examples.ts';
import { WebhookResponse } from '../../../../shared/http/webhook-responses.ts';

const SHOP = { ...NO_FIELDS, url: ' https://shop.test/ ' };

describe('the typed settings of a webhook', () => {
  test('are settings of the API; empty boxes clear', () => {
    expect(settingsOf(SHOP)).toEqual({
      url: 'https://shop.test/',
      name: null,
      description: null,
      rate_limit: null,
      retry_seconds: null,
      ordered: false,
      format: 'event',
      target: null,
      headers: {},
      tags: [],
    });
    expect(settingsOf({ ...SHOP, name: ' Shop ', rate_limit: ' 20 ', tags: ' team:a , b,, ' })).toMatchObject({
      name: 'Shop',
      rate_limit: 20,
      tags: ['team:a', 'b'],
    });
  });

  test.each(['0x10', '1.5', 'ten', '-1'])('refuse the rate limit %s', (limit) => {
    expect(() => settingsOf({ ...SHOP, rate_limit: limit })).toThrow('Rate limit: enter a whole number');
  });

  test.each([
    ['5, 300,1800', [5, 300, 1_800]],
    ['60', [60]],
    [' None ', []],
    ['', null],
  ])('read the retries %j', (typed, pauses) => {
    expect(settingsOf({ ...SHOP, retry_seconds: typed }).retry_seconds).toEqual(pauses);
  });

  test.each([
    ['arn:aws:sqs:us-east-1:111122223333:q', { kind: 'queue', role_arn: null }],
    [
      'arn:aws:events:us-east-1:111122223333:event-bus/b, arn:aws:iam::1:role/r',
      { kind: 'event_bus', role_arn: 'arn:aws:iam::1:role/r' },
    ],
  ])('read the target %j', (typed, target) => {
    expect(settingsOf({ ...SHOP, target: typed }).target).toMatchObject(target);
  });

  test('refuse a target that is the ARN of neither a bus nor a queue', () => {
    expect(() => settingsOf({ ...SHOP, target: 'arn:aws:sns:us-east-1:1:t' })).toThrow('Target: enter the ARN');
  });

  test.each(['5 min', '1.5', '-1', '5;6'])('refuse the retries %j', (typed) => {
    expect(() => settingsOf({ ...SHOP, retry_seconds: typed })).toThrow('Retries: enter seconds');
  });

  test('keep every header name as typed, and leave out empty rows', () => {
    const headers = [
      { name: ' X-Key ', value: ' 1 ' },
      { name: '', value: ' ' },
      { name: '__proto__', value: '2' },
    ];
    expect(JSON.stringify(settingsOf({ ...SHOP, headers }).headers)).toBe('{"X-Key":"1","__proto__":"2"}');
  });

  test('refuse a value without a name, and a name that is there twice', () => {
    expect(() => settingsOf({ ...SHOP, headers: [{ name: ' ', value: '1' }] })).toThrow('a name');
    const twice = [
      { name: 'x-key', value: '1' },
      { name: 'x-key', value: '2' },
    ];
    expect(() => settingsOf({ ...SHOP, headers: twice })).toThrow('x-key is there twice');
  });

  test('become an update with the changed settings only', () => {
    const stored = typedFieldsOf(WebhookResponse.parse(examples.webhook));
    expect(changedSettings(stored, stored)).toBeUndefined();
    expect(changedSettings(stored, { ...stored, name: '', rate_limit: '5' })).toEqual({
      name: null,
      rate_limit: 5,
    });
    expect(changedSettings(stored, { ...stored, headers: [], format: 'teams' })).toEqual({
      headers: {},
      format: 'teams',
    });
  });
});
