import { describe, expect, test } from 'vitest';
import { httpEvent } from '../../../../shared/domain/event/http-event.ts';
import { wholeEvent } from '../../../../shared/domain/event/carried-event.ts';
import { curlLineOf } from '../../../../functions/console/app/pages/sources/curl-line.ts';
import {
  FIRST_REQUEST,
  requestEvent,
  type RequestFields,
} from '../../../../functions/console/app/pages/sources/request-event.ts';

const ENDPOINT = 'https://in.example/0123';

/** The event of the same request at the endpoint. */
function atEndpoint({ method, path, headers, body }: RequestFields): object {
  const [plain = '/', query = ''] = path.split('?');
  const lines = headers.split('\n').filter(Boolean);
  const event = httpEvent({
    method,
    path: plain,
    query,
    headers: new Map(lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.split(': ')[1] ?? ''])),
    body: body === '' ? undefined : { content: body },
    clientIp: '127.0.0.1',
    address: `${ENDPOINT}${plain}`,
  });
  const { client_ip: _, ...rest } = JSON.parse(wholeEvent(event)) as Record<string, unknown>;
  return rest;
}

describe('a request that a person types', () => {
  test.each<Partial<RequestFields>>([
    {},
    { path: '/orders/7?a=1&b=2&a=3' },
    { method: 'GET', headers: '', body: '' },
    { headers: 'Content-Type: text/plain', body: 'plain text' },
    { headers: 'content-type: text/plain', body: '[1, 2]' },
    { headers: 'content-type: application/json', body: '12' },
    { headers: 'content-type: application/x-www-form-urlencoded', body: 'a=1&b=two' },
    { headers: 'content-type: application/json', body: '{"__proto__": 1, "n": 1}' },
  ])('%j makes the event of the same request at the endpoint', (fields) => {
    const request = { ...FIRST_REQUEST, ...fields };
    expect(JSON.parse(requestEvent(ENDPOINT, request))).toEqual(atEndpoint(request));
  });

  test('keeps the text of a large number', () => {
    const body = '{"n":12345678901234567890}';
    expect(requestEvent(ENDPOINT, { ...FIRST_REQUEST, body })).toContain(`"body":${body}`);
  });

  test('refuses a header without a name', () => {
    const typed = { ...FIRST_REQUEST, headers: 'x-one: 1\nno colon' };
    expect(() => requestEvent(ENDPOINT, typed)).toThrow('Headers: "no colon" must have the form name: value.');
  });

  test('joins a header that is there twice', () => {
    const typed = { ...FIRST_REQUEST, headers: 'x-one: 1\nX-One: 2' };
    expect(JSON.parse(requestEvent(ENDPOINT, typed))).toMatchObject({ headers: { 'x-one': '1, 2' } });
  });

  test('is a curl line that a shell reads as typed', () => {
    expect(curlLineOf(ENDPOINT)).toBe(
      `curl -g -X POST '${ENDPOINT}' -H 'content-type: application/json' --data-raw '{"name":"Ada"}'`,
    );
    const typed = { ...FIRST_REQUEST, path: '/a?b=1', headers: '', body: "it's" };
    expect(curlLineOf(ENDPOINT, typed)).toBe(String.raw`curl -g -X POST '${ENDPOINT}/a?b=1' --data-raw 'it'\''s'`);
  });
  test('has no content type without a body', () => {
    const typed = {
      ...FIRST_REQUEST,
      method: 'GET',
      headers: 'Content-Type: text/plain\nx-one: 1',
      body: '',
    };
    expect(JSON.parse(requestEvent(ENDPOINT, typed))).toMatchObject({ headers: { 'x-one': '1' } });
    expect(requestEvent(ENDPOINT, typed)).not.toContain('content-type');
    expect(curlLineOf(ENDPOINT, typed)).toBe(`curl -g -X GET '${ENDPOINT}' -H 'x-one: 1'`);
  });

  test('is a curl line for HEAD that waits for no body and sends none', () => {
    expect(curlLineOf(ENDPOINT, { ...FIRST_REQUEST, method: 'HEAD' })).toBe(`curl -g --head '${ENDPOINT}'`);
  });
});
