import { describe, expect, test } from 'vitest';
import { responseOf } from '../../../../shared/runtime/respond.ts';

describe('the response of a component', () => {
  test.each([
    [{ status: 204 }, 204],
    [{ status: '201' }, 201],
    [{ statusCode: 302 }, 302],
    [{}, 200],
    [undefined, 200],
  ])('%j has status %d', (input, status) => {
    expect(responseOf(input).response.status).toBe(status);
  });

  test.each([99, 600, 'ok', 20.5, 101])('status %j is refused', (status) => {
    expect(() => responseOf({ status })).toThrow('200 to 599');
  });

  test.each([
    ['text', 'text', false, 'text/plain; charset=utf-8'],
    [{ a: 1 }, '{"a":1}', false, 'application/json'],
    [[1], '[1]', false, 'application/json'],
    [Buffer.from([0, 255]), 'AP8=', true, 'application/octet-stream'],
    [new Uint8Array([1]), 'AQ==', true, 'application/octet-stream'],
    [undefined, '', false, undefined],
  ])('body %j', (input, body, base64, type) => {
    const { response } = responseOf({ body: input });

    expect(response).toMatchObject({ body, base64 });
    expect(response.headers['content-type']).toBe(type);
  });

  test('drops hop-by-hop headers, Content-Length and invalid headers, and returns their names', () => {
    const headers = {
      'X-Fine': 1,
      'X-Several': ['a', 'b'],
      'Set-Cookie': ['a=1', 'b=2', 'c=\n'],
      'Content-Type': 'text/html',
      'Transfer-Encoding': 'chunked',
      'content-length': 3,
      'bad name': 'x',
      'x-split': 'a\r\nb: c',
      'x-none': null,
    };
    const { response, dropped } = responseOf({ headers, body: 'x' });

    expect(response.headers).toEqual({
      'x-fine': '1',
      'x-several': 'a, b',
      'content-type': 'text/html',
    });
    expect(response.cookies).toEqual(['a=1', 'b=2']);
    expect(dropped).toEqual(['Set-Cookie', 'Transfer-Encoding', 'content-length', 'bad name', 'x-split']);
  });

  test.each([
    ['a text', 'x'.repeat(4_500_000), 'x'.repeat(4_500_001)],
    ['a text of two bytes a character', 'ä'.repeat(2_250_000), 'ä'.repeat(2_250_001)],
    ['bytes', Buffer.alloc(4_500_000), Buffer.alloc(4_500_003)],
  ])('%s may have 4.5 MB', (_kind, longest, longer) => {
    expect(responseOf({ body: longest }).response.status).toBe(200);
    expect(() => responseOf({ body: longer })).toThrow('at most 4500000 bytes');
  });

  test('headers may have 100 KB', () => {
    expect(() => responseOf({ headers: { 'x-long': 'x'.repeat(100_000) } })).toThrow('its headers 100 KB');
    expect(() => responseOf({ headers: { 'set-cookie': ['x'.repeat(100_000)] } })).toThrow('its headers 100 KB');
  });

  test('a body that is no JSON is refused', () => {
    expect(() => responseOf({ body: { n: 1n } })).toThrow('is not JSON');
  });
});
