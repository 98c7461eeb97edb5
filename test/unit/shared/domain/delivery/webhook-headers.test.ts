import { describe, expect, test } from 'vitest';
import { HeadersInput } from '../../../../../shared/domain/delivery/webhook-headers.ts';

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
    ...['CF-Connecting-IP', 'cf-ipcountry', 'Fastly-Client-IP', 'fly-client-ip', 'x-envoy-external-address'],
    ...['X-Azure-ClientIP', 'x-azure-fdid', 'X-AppEngine-User-IP', 'x-appengine-cron', 'CloudFront-Viewer-Address'],
    ...[
      'x-vercel-forwarded-for',
      'x-nf-client-connection-ip',
      'x-ssl-client-verify',
      'Client-Cert',
      'x-arr-clientcert',
    ],
    ...['Remote-User', 'x-remote-user', 'x-auth-request-email', 'x-amzn-oidc-data', 'X-Goog-IAP-JWT-Assertion'],
    ...['x-ms-client-principal-name', 'cf-access-jwt-assertion', 'x-webauth-user', 'x-consumer-id'],
    // Gateways to CGI and WSGI read `_` as `-`.
    ...['X_Forwarded_For', 'cf_connecting_ip', 'content_length', 'x-envoy_peer'],
    'a b',
    'ä',
    'a:b',
    '',
  ])('may not have the name %j', (name) => {
    expect(problems({ fine: 'x', [name]: 'x' })).toEqual([name]);
  });

  test.each([
    ...[
      'x-api-key',
      'x_api_key',
      'apikey',
      'x-functions-key',
      'x-consumer-key',
      'fastly-key',
      'x-ms-version',
      'x-goog-api-key',
    ],
    // Clients sign in by these at a proxy.
    ...['CF-Access-Client-Id', 'CF-Access-Client-Secret', 'x-vercel-protection-bypass', 'ngrok-skip-browser-warning'],
    ...['x-request-id', 'x-amz-target', 'x-hub-signature', 'prefer', 'accept', 'origin', 'date'],
  ])('may have the name %j', (name) => {
    expect(problems({ [name]: 'x' })).toEqual([]);
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
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '']));
    expect(problems(many(20))).toEqual([]);
    expect(problems(many(21))).toEqual(['']);
  });

  test.each([['x'], 'x', 5])('are an object, not %j', (headers) => {
    expect(HeadersInput.safeParse(headers).success).toBe(false);
  });
});
