import { expect, test } from 'vitest';
import { createIngressReader } from '../../../../../shared/http/ingress/ingress-request.ts';

const BASE = 'https://hooks.example.com';
const ORIGIN = 'https://a1.hooks.example.com';
const read = (rawPath: string, host?: string) => {
  const { endpoint, isToWorkflow } = createIngressReader('https://*.hooks.example.com')({
    rawPath,
    rawQueryString: '',
    headers: host === undefined ? {} : { host },
    isBase64Encoded: false,
    requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '192.0.2.1' } },
  });
  return isToWorkflow ? 'workflow' : endpoint && [endpoint.endpointId, endpoint.path, endpoint.address];
};

test.each([
  ['/a1', 'hooks.example.com', ['a1', '/', `${BASE}/a1`]],
  ['/a1/', 'hooks.example.com', ['a1', '/', `${BASE}/a1/`]],
  ['/a1/x%2Fy', undefined, ['a1', '/x/y', `${BASE}/a1/x%2Fy`]],
  ['/a1', 'other.test', ['a1', '/', `${BASE}/a1`]],
  ['/', 'A1.hooks.example.com:443', ['a1', '/', `${ORIGIN}/`]],
  ['/x/y', 'a1.hooks.example.com', ['a1', '/x/y', `${ORIGIN}/x/y`]],
  ['/b2/x', 'a1.hooks.example.com', ['a1', '/b2/x', `${ORIGIN}/b2/x`]],
  ['/workflows/p_1/emits', 'hooks.example.com', 'workflow'],
  ['/workflows/p_1/emits', 'a1.hooks.example.com', ['a1', '/workflows/p_1/emits', `${ORIGIN}/workflows/p_1/emits`]],
  ['/', 'hooks.example.com', undefined],
  ['/a1', 'a.b.hooks.example.com', undefined],
  ['/a1', '.hooks.example.com', undefined],
])('%s at the host %s names %j', (path, host, target) => {
  expect(read(path, host)).toEqual(target);
});

test.each([
  ['/a1/a%2Fb/c%20d', '/a1/a%2Fb/c%20d'],
  ['/a1/a%252Fb/%CE%BB/%ff', '/a1/a%252Fb/%CE%BB/%ff'],
  ['/a1/it(s):[1];=!,+&@$|~', '/a1/it(s):[1];=!,+&@$|~'],
  // As API Gateway passes them on.
  ['/a1/c d/λ/#?"<>{}^`', '/a1/c%20d/%CE%BB/%23%3F%22%3C%3E%7B%7D%5E%60'],
  ['/a1/100%', '/a1/100%25'],
  ['/a1/\ud800', '/a1/%EF%BF%BD'],
])('the address of %s has the path as it was sent: %s', (path, sent) => {
  expect(read(path)?.at(2)).toBe(`${BASE}${sent}`);
});
