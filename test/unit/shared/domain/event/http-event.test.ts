import { describe, expect, test } from 'vitest';
import { eventValue } from '../../../../../shared/runtime/event-value.ts';
import { wholeEvent } from '../../../../../shared/domain/event/carried-event.ts';
import { httpEvent, type HttpRequest } from '../../../../../shared/domain/event/http-event.ts';

const request = {
  method: 'POST',
  path: '/',
  query: '',
  headers: new Map<string, string>(),
  body: undefined as Buffer | string | undefined,
  clientIp: '192.0.2.1',
  address: 'https://in.example/id/a/b',
};
const requestOf = ({ body, ...rest }: typeof request): HttpRequest => ({
  ...rest,
  body: body === undefined ? undefined : { content: body },
});
const textOf = (options: typeof request) => wholeEvent(httpEvent(requestOf(options)));
const eventOf = (overrides: Partial<typeof request>) =>
  JSON.parse(textOf({ ...request, ...overrides })) as Record<string, unknown>;
const withBody = (text: string | Buffer, type?: string) =>
  eventOf({ body: Buffer.from(text), headers: new Map(type === undefined ? [] : [['content-type', type]]) });

describe('the event of an HTTP request', () => {
  test('has method, path, query and headers; without a body neither body nor bodyRaw', () => {
    expect(eventOf({ method: 'GET', path: '/a/b' })).toEqual({
      method: 'GET',
      path: '/a/b',
      query: {},
      headers: {},
      url: 'https://in.example/id/a/b',
      client_ip: '192.0.2.1',
    });
    const empty = eventOf({ body: Buffer.alloc(0) });
    expect(empty).toMatchObject({ method: 'POST', path: '/', query: {}, headers: {} });
    expect(Object.keys(empty)).not.toContain('bodyRaw');
    expect(Object.keys(empty)).not.toContain('body');
  });

  test('a query parameter given twice is an array', () => {
    expect(eventOf({ query: 'a=1&b=2&a=3&c=&a=%26' })['query']).toEqual({
      a: ['1', '3', '&'],
      b: '2',
      c: '',
    });
  });

  test('headers added by the gateway are left out', () => {
    const headers = new Map([
      ['host', 'h'],
      ['x-amzn-trace-id', 'Root=1'],
      ['x-forwarded-for', '::1'],
      ['x-forwarded-port', '1'],
      ['x-github-event', 'push'],
    ]);
    expect(eventOf({ headers })['headers']).toEqual({ host: 'h', 'x-github-event': 'push' });
  });

  test.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json; charset=utf-8', ' [1] ', [1]],
    ['application/vnd.x+json', '"text"', 'text'],
    ['application/json', '{broken', '{broken'],
    ['application/json', `${'['.repeat(257)}${']'.repeat(257)}`, `${'['.repeat(257)}${']'.repeat(257)}`],
    ['application/x-www-form-urlencoded', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
    ['text/plain', '{"a":1}', { a: 1 }],
    ['text/plain', '1', '1'],
    [undefined, 'plain', 'plain'],
  ])('a body of type %s: %j', (type, text, expected) => {
    expect(withBody(text, type)).toMatchObject({ body: expected, bodyRaw: text });
  });

  test.each([
    ['application/json', '{"a":"ü€😀"}'],
    ['application/json', '\uFEFF{"a":1}'],
    ['text/plain', 'ü€😀'],
    ['text/plain', '\u0001'.repeat(400_000)],
    ['text/plain', ''],
  ])('a text body of type %s makes the same event as its bytes: %.20s', (type, text) => {
    const headers = new Map([['content-type', type]]);
    expect(textOf({ ...request, headers, body: text })).toBe(textOf({ ...request, headers, body: Buffer.from(text) }));
  });

  test('the text of a JSON body is passed on as it is, odd keys included', () => {
    const text = '{"2":1,"1":2,"__proto__":{"x":1},"n":1.0}';
    const json = textOf({
      ...request,
      body: Buffer.from(text),
      headers: new Map([['content-type', 'application/json']]),
    });
    expect(json).toContain(`"body":${text}`);
  });

  test.each([
    ['application/json', ' {"a":"ü\\u0000"} '],
    ['application/json', '{broken'],
    ['text/plain', 'text'],
    ['application/x-www-form-urlencoded', 'a=1'],
  ])('the component gets the same value: %s', (type, text) => {
    const options = { ...request, body: text, headers: new Map([['content-type', type]]) };
    expect(eventValue(httpEvent(requestOf(options)))).toEqual(JSON.parse(textOf(options)));
  });

  test('a large body travels once', () => {
    const body = JSON.stringify({ text: 'x'.repeat(10_000) });
    const headers = new Map([['content-type', 'application/json']]);
    const { json } = httpEvent(requestOf({ ...request, body, headers }));
    expect(json.length).toBeLessThan(10_500);
  });

  test('a binary body comes as base64 and is marked so', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    expect(withBody(bytes, 'image/png')).toMatchObject({
      body: bytes.toString('base64'),
      bodyRaw: bytes.toString('base64'),
      isBase64Encoded: true,
    });
  });
});
