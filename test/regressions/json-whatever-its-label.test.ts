import { type IncomingMessage, request } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Mirror } from '../support/mirror.ts';

/** A notification service confirms a subscription with JSON as text/plain. */
const CONFIRMING = `export default {
  name: 'Confirms', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run({ body }) {
    this.http.respond({ status: 200, body: body.Type === 'SubscriptionConfirmation' ? 'confirmed ' + body.Token : 'ignored' });
  },
};`;

let mirror: Mirror;
beforeAll(async () => {
  mirror = await Mirror.open();
});
afterAll(() => mirror.close());

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));

const partsOf = (charset: string, value: string, encoding: BufferEncoding) =>
  bytes(
    `--X\r\ncontent-disposition: form-data; name="_charset_"\r\n\r\n${charset}\r\n--X\r\ncontent-disposition: form-data; name="a"\r\n\r\n${value}\r\n--X--\r\n`,
    encoding,
  );

describe('JSON whatever its label, character sets, encodings', () => {
  const json = '{"Type":"x"}';
  test.each<[string, string, Uint8Array<ArrayBuffer>]>([
    ['text/plain', 'text/plain', bytes(json)],
    ['bytes', 'application/octet-stream', bytes(json)],
    ['a form', 'application/x-www-form-urlencoded', bytes(json)],
    ['a multipart form', 'multipart/form-data; boundary=X', bytes(json)],
    ['JSON with a byte order mark', 'application/json', bytes(`\uFEFF${json}`)],
    ['an unknown character set', 'text/plain; charset=nonsense', bytes(json)],
    ['UTF-16', 'application/json; charset=utf-16le', bytes(json, 'utf16le')],
  ])('an object as %s', async (_, type, body) => {
    expect((await mirror.sent(type, body)).body).toEqual({ Type: 'x' });
  });

  test('ISO-8859-1 is decoded, in JSON, in text and in a form', async () => {
    const latin = 'charset=ISO-8859-1';
    expect((await mirror.sent(`application/json; ${latin}`, bytes('{"a":"ü"}', 'latin1'))).body).toEqual({
      a: 'ü',
    });
    expect((await mirror.sent(`text/plain; ${latin}`, bytes('ü', 'latin1'))).bodyRaw).toBe('ü');
    // These bytes are UTF-8, too.
    expect((await mirror.sent(`text/plain; ${latin}`, bytes('Ã¼', 'latin1'))).body).toBe('Ã¼');
    const form = `application/x-www-form-urlencoded; ${latin}`;
    expect((await mirror.sent(form, bytes('a=%FC&b=ü+c', 'latin1'))).body).toEqual({ a: 'ü', b: 'ü c' });
  });

  const utf16be = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16());
  test.each<[string, string, Uint8Array<ArrayBuffer>]>([
    ['little-endian JSON', '', bytes(`\uFEFF${json}`, 'utf16le')],
    ['big-endian JSON', 'application/json', utf16be(json)],
    ['JSON with a label that is wrong', 'application/json; charset=utf-8', bytes(`\uFEFF${json}`, 'utf16le')],
  ])('UTF-16 with a byte order mark needs no label: %s', async (_, type, body) => {
    expect(await mirror.sent(type, body)).toMatchObject({ body: { Type: 'x' }, bodyRaw: `\uFEFF${json}` });
  });

  test.each<[string, string, string, BufferEncoding]>([
    ['ISO-8859-1', 'application/xml', '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>', 'latin1'],
    ['windows-1252, without a type', '', "<?xml version='1.0' encoding='windows-1252' ?><a>ü</a>", 'latin1'],
    ['UTF-16, in a prolog of ASCII', 'text/xml', '<?xml version="1.0" encoding="UTF-16"?><a>ü</a>', 'utf8'],
    ['an unknown encoding', 'text/xml', '<?xml version="1.0" encoding="nonsense"?><a>ü</a>', 'utf8'],
    [
      'ISO-8859-1, but a label says UTF-8',
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>',
      'utf8',
    ],
  ])('XML whose prolog names %s is decoded', async (_, type, text, encoding) => {
    expect(await mirror.sent(type, bytes(text, encoding))).toMatchObject({ body: text, bodyRaw: text });
  });

  test.each<[string, string, Uint8Array<ArrayBuffer>, string]>([
    ['windows-1252', 'application/x-www-form-urlencoded', bytes('_charset_=windows-1252&a=%FC'), 'ü'],
    [
      'Shift_JIS, after the other field',
      'application/x-www-form-urlencoded',
      bytes('a=%83e&_charset_=Shift_JIS'),
      'テ',
    ],
    ['an unknown set', 'application/x-www-form-urlencoded', bytes('_charset_=nonsense&a=%C3%BC'), 'ü'],
    ['windows-1252, in parts', 'multipart/form-data; boundary=X', partsOf('windows-1252', 'ü', 'latin1'), 'ü'],
    ['UTF-8, in parts', 'multipart/form-data; boundary=X', partsOf('UTF-8', 'ü', 'utf8'), 'ü'],
  ])('_charset_ of a form decodes its other fields: %s', async (_, type, body, value) => {
    expect((await mirror.sent(type, body)).body).toMatchObject({
      a: value,
      _charset_: expect.any(String) as string,
    });
  });

  test.each(['{"a":1}\n{"a":2}', '{"a":1,}', '5', '"text"', '[1'])('%s as text/plain stays text', async (text) => {
    expect(await mirror.sent('text/plain', text)).toMatchObject({ body: text, bodyRaw: text });
  });

  test('bodyRaw keeps the byte order mark, on which a signature may depend', async () => {
    expect((await mirror.sent('text/plain', bytes(`\uFEFF${json} `))).bodyRaw).toBe(`\uFEFF${json} `);
  });

  test.each([
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['deflate', deflateRawSync(json)],
    ['br', brotliCompressSync(json)],
    ['deflate, gzip', gzipSync(deflateSync(json))],
  ])('%s is decoded', async (encoding, body) => {
    const event = await mirror.sent('application/json', new Uint8Array(body), {
      'content-encoding': encoding,
    });
    expect(event).toMatchObject({ body: { Type: 'x' }, bodyRaw: json });
    expect(event).not.toHaveProperty('isBase64Encoded');
    expect(event.headers).not.toHaveProperty('content-encoding');
    expect(event.headers).not.toHaveProperty('content-length');
  });

  test('a header named __proto__ is there', async () => {
    // `fetch` does not send it.
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = ['host', new URL(mirror.endpoint).host, '__proto__', 'x'];
      request(mirror.endpoint, { headers: headers as never }, resolve)
        .on('error', reject)
        .end();
    });
    const { headers } = (await jsonOf(response)) as { headers: object };
    expect(Object.entries(headers)).toContainEqual(['__proto__', 'x']);
  });

  test('a body that does not decode stays as it was sent', async () => {
    const event = await mirror.sent('application/json', json, { 'content-encoding': 'gzip' });
    expect(event.body).toEqual({ Type: 'x' });
    expect(event.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': '12' });
  });

  test.each(['identity', 'compress'])('%s is not decoded, and its headers stay', async (encoding) => {
    const { headers } = await mirror.sent('application/json', json, { 'content-encoding': encoding });
    expect(headers).toMatchObject({ 'content-encoding': encoding, 'content-length': '12' });
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(600_000))],
    ['br', brotliCompressSync(Buffer.alloc(100_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(20_000_000)))],
  ])('a body that %s decodes beyond 512 KB is 413', async (encoding, body) => {
    const headers = { 'content-encoding': encoding };
    const response = await fetch(mirror.endpoint, { method: 'POST', headers, body: new Uint8Array(body) });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'too_large']);
  });

  test('a component confirms a notification that comes as text/plain', async () => {
    const { endpoint: confirming } = await mirror.scene.source(CONFIRMING);
    const body = JSON.stringify({ Type: 'SubscriptionConfirmation', Token: 't' });
    const response = await fetch(confirming, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    });
    expect(await response.text()).toBe('confirmed t');
  });
});
