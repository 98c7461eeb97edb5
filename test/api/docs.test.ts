import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi } from '../../shared/http/openapi/openapi.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const operationIds = Object.values(
  openApi('http://host')['paths'] as Record<string, Record<string, { operationId: string }>>,
)
  .flatMap((methods) => Object.values(methods))
  .map(({ operationId }) => operationId);

test('GET /docs shows every operation without a key; nothing is loaded from anywhere', async () => {
  const response = await fetch(`${cloud.origin}/docs`);
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
  );
  expect(operationIds.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
  expect(page).not.toMatch(/<link|<img|\ssrc=|@import|url\(/i);
  expect(
    [...page.matchAll(/href="([^"]*)"/g)].filter(([, target = '']) => !/^(#|\/openapi\.json$)/.test(target)),
  ).toEqual([]);
  expect(page).toContain(cloud.origin);
});

test.each(['/docs', '/openapi.json'])('%s is compressed, and not sent to a client that has it', async (path) => {
  const response = await fetch(cloud.origin + path, { headers: { 'accept-encoding': 'br' } });
  const text = await response.text();
  const { headers } = response;
  expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['br', 'no-cache']);
  expect(Number(headers.get('content-length'))).toBeLessThan(text.length / 4);
  const known = await fetch(cloud.origin + path, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  expect([known.status, await known.text()]).toEqual([304, '']);
});

/** `fetch` sets the host itself. */
const askedAs = (host: string, headers: Record<string, string> = {}) =>
  new Promise<string>((resolve, reject) => {
    const sent = request(`${cloud.origin}/openapi.json`, { headers: { ...headers, host } }, (response) => {
      let text = '';
      response
        .on('data', (chunk) => (text += String(chunk)))
        .on('end', () => {
          resolve(text);
        });
    });
    sent.on('error', reject).end();
  });
const serverOf = async (response: Promise<string>) => JSON.parse(await response).servers[0].url as unknown;

test('the server of the document is the origin as it was asked for', async () => {
  expect(await serverOf(askedAs('tributary.test:8080'))).toBe('http://tributary.test:8080');
  expect(await serverOf(askedAs('api.test', { 'x-forwarded-proto': 'https' }))).toBe('https://api.test');
  expect(await serverOf(askedAs('"><script>'))).toBe('http://localhost');
});
