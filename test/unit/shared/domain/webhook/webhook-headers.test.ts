import { describe, expect, test } from 'vitest';
import { HeadersInput } from '../../../../../shared/domain/webhook/webhook-headers.ts';

const problems = (headers: unknown): string[] =>
  (HeadersInput.safeParse(headers).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('the headers of a webhook', () => {
  test('are kept as given, in their order', () => {
    const headers = {
      'X-Tenant': 'a\tb c',
      Authorization: 'Bearer x',
      cookie: 'a=b',
      ['__proto__']: 'own',
      empty: '',
    };
    expect(HeadersInput.parse(headers)).toEqual(Object.entries(headers));
  });

  test.each([
    'host',
    'Content-Type',
    'content-x',
    'connection',
    'Keep-Alive',
    'proxy-authorization',
    'TE',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'User-Agent',
    'traceparent',
    'tracestate',
    'webhook-id',
    'X-Tributary-Anything',
    'forwarded',
    'X-Forwarded-For',
    'x-forwarded-host',
    'x-forwarded',
    'X-Real-IP',
    'x-client-ip',
    'x-cluster-client-ip',
    'true-client-ip',
    'x-original-url',
    'via',
    'a b',
    'ä',
    'a:b',
    '',
  ])('may not have the name %j', (name) => {
    expect(problems({ fine: 'x', [name]: 'x' })).toEqual([name]);
  });

  test.each([' x', 'x ', '\tx', 'x\ny', 'x\ry', 'ä', '\u007f', 'x'.repeat(1_025), 5, null, ['x']])(
    'may not have the value %j',
    (value) => {
      expect(problems({ name: value })).toEqual(['name']);
    },
  );

  test('compare names without case', () => {
    expect(problems({ 'x-a': '1', 'X-A': '2' })).toEqual(['X-A']);
  });

  test('are at most 20', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '']));
    expect(problems(many(20))).toEqual([]);
    expect(problems(many(21))).toEqual(['']);
  });

  test.each([['x'], 'x', 5])('are an object, not %j', (headers) => {
    expect(HeadersInput.safeParse(headers).success).toBe(false);
  });
});
