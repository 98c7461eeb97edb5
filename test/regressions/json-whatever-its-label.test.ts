import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
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

const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding));

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

  test.each(['{"a":1}\n{"a":2}', '{"a":1,}', '5', '"text"', '[1'])(
    '%s as text/plain stays text',
    async (text) => {
      expect(await mirror.sent('text/plain', text)).toMatchObject({ body: text, bodyRaw: text });
    },
  );

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
  });

  test('what does not decode stays as it was sent', async () => {
    const event = await mirror.sent('application/json', json, { 'content-encoding': 'gzip' });
    expect(event.body).toEqual({ Type: 'x' });
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(600_000))],
    ['br', brotliCompressSync(Buffer.alloc(100_000_000))],
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
