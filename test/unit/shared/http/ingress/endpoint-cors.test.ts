import { describe, expect, test } from 'vitest';
import { preflightResponse } from '../../../../../shared/http/ingress/endpoint-cors.ts';

const ask = (headers: Record<string, string>, method = 'OPTIONS') =>
  preflightResponse({
    rawPath: '/endpoint',
    rawQueryString: '',
    headers,
    isBase64Encoded: false,
    requestContext: { requestId: 'r', http: { method, sourceIp: '192.0.2.1' } },
  });

describe('a preflight', () => {
  test('is allowed with what it asks for, for two hours, without credentials', () => {
    expect(
      ask({
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, x-own',
      }),
    ).toEqual({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'x-request-id, retry-after',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, x-own',
        'access-control-max-age': '7200',
      },
      body: '',
      base64: false,
    });
  });

  test.each([
    ['a name that is no token', 'x-a, b c'],
    ['an empty name', 'x-a,,x-b'],
    ['more than 1 KB of names', Array.from({ length: 200 }, (_, n) => `x-${n}-abc`).join(',')],
  ])('names no headers when it asks for %s', (_, names) => {
    const { headers } = ask({ 'access-control-request-method': 'PUT', 'access-control-request-headers': names }) ?? {};
    expect(headers).not.toHaveProperty('access-control-allow-headers');
    expect(headers).toMatchObject({ 'access-control-allow-methods': 'PUT' });
  });

  test('repeats no method that is no token', () => {
    const { headers } = ask({ 'access-control-request-method': 'A B' }) ?? {};
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });

  test.each([
    ['OPTIONS', {}],
    ['OPTIONS', { origin: 'https://a.test' }],
    ['POST', { 'access-control-request-method': 'POST' }],
  ])('is no %s with %j', (method, headers) => {
    expect(ask(headers, method)).toBeUndefined();
  });
});
