import { expect, test, vi } from 'vitest';
import { VERSION } from '../../../../../shared/domain/version.ts';
import type { ServiceMarks } from '../../../../../shared/domain/service-health.ts';
import type { ApiEvent } from '../../../../../shared/http/exchange.ts';
import { createHealth, withHealth } from '../../../../../shared/http/health/health-check.ts';
import { createIngressReader, type IngressEvent } from '../../../../../shared/http/ingress/ingress-request.ts';

const NOW = Date.UTC(2031, 2, 29);
const WELL = { statusCode: 200, body: { status: 'ok', version: VERSION } };
const unwell = (reason: string) => ({ statusCode: 503, body: { status: 'unavailable', reason, version: VERSION } });

async function healthOf(read: () => Promise<ServiceMarks>) {
  const { statusCode, body } = await createHealth({ read, now: () => NOW })();
  return { statusCode, body: JSON.parse(body ?? '') as unknown };
}

test.each<[string, ServiceMarks, object]>([
  ['works', {}, WELL],
  [
    'is paused',
    { pausedAt: NOW },
    unwell('The service is paused: it delivers nothing, runs nothing and fires no timer.'),
  ],
  ['has triggers that waited for less than 5 min', { stalledSince: NOW - 299_999 }, WELL],
  [
    'has older ones',
    { stalledSince: NOW - 300_000 },
    unwell('Triggers that may run have waited for more than 5 minutes.'),
  ],
])('GET /healthz of a service that %s', async (_, marks, response) => {
  expect(await healthOf(() => Promise.resolve(marks))).toEqual(response);
});

test('GET /healthz is 503 when the table cannot be read', async () => {
  expect(await healthOf(() => Promise.reject(new Error('refused')))).toEqual(unwell('The table cannot be read.'));
});

test('a process reads the table once for many requests', async () => {
  const read = vi.fn(() => Promise.resolve({}));
  const health = createHealth({ read, now: () => NOW });
  await Promise.all([health(), health()]);
  await health();
  expect(read).toHaveBeenCalledOnce();
});

test('the API answers GET and HEAD of /healthz without a key, and nothing else', async () => {
  const api = () => Promise.resolve({ statusCode: 404 });
  const handle = withHealth(api, () => Promise.resolve({ statusCode: 200 }));
  const statusOf = async (method: string, rawPath: string) =>
    (await handle({ rawPath, requestContext: { http: { method } } } as unknown as ApiEvent, undefined)).statusCode;
  expect(await Promise.all([statusOf('GET', '/healthz'), statusOf('HEAD', '/healthz/')])).toEqual([200, 200]);
  expect(await Promise.all([statusOf('POST', '/healthz'), statusOf('GET', '/healthz/a')])).toEqual([404, 404]);
});

test("/healthz of the endpoints is the service's, but at an endpoint's own host it is the component's", () => {
  const read = createIngressReader('https://*.in.example');
  const isHealthCheck = (host: string, rawPath = '/healthz', method = 'GET') =>
    read({ rawPath, headers: { host }, requestContext: { http: { method } } } as unknown as IngressEvent).isHealthCheck;
  expect(isHealthCheck('in.example')).toBe(true);
  expect(isHealthCheck('in.example', '/healthz', 'POST')).toBe(false);
  expect(isHealthCheck('abc.in.example')).toBe(false);
});
