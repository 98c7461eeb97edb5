import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

/** Answers with its event. */
const MIRROR = `export default {
  name: 'Mirror', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run(event) { this.http.respond({ status: 200, body: event }); },
};`;

/** Issue trackers' instant sources admit a sender by its address. */
const ADMITTING = `export default {
  name: 'Admits one address', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { if (event.client_ip === '203.0.113.9') this.$emit({ from: event.client_ip, at: event.url }); },
};`;

/** Form back ends send a multipart form with JSON in a field. */
const FORM = `export default {
  name: 'Reads a form', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit({ id: body.submissionID, ...JSON.parse(body.rawRequest) }); },
};`;

/** A notification service confirms a subscription with JSON as text/plain. */
const CONFIRMING = `export default {
  name: 'Confirms', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run({ body }) {
    this.http.respond({ status: 200, body: body.Type === 'SubscriptionConfirmation' ? 'confirmed ' + body.Token : 'ignored' });
  },
};`;

let scene: Scene;
let endpoint: string;
beforeAll(async () => {
  scene = await Scene.open({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
  ({ endpoint } = await scene.source(MIRROR));
});
afterAll(() => scene.close());

interface Event {
  path: string;
  url: string;
  client_ip: string;
  query: unknown;
  body: unknown;
  bodyRaw: string;
  isBase64Encoded?: boolean;
}

async function seen(init: RequestInit = {}, path = ''): Promise<Event> {
  const response = await fetch(endpoint + path, init);
  expect(response.status).toBe(200);
  return (await response.json()) as Event;
}

/** `fetch` would give a body its own type, so the type is always said; an empty one is sent as it is. */
const sent = (type: string, body: string | Uint8Array<ArrayBuffer>, more = {}) =>
  seen({ method: 'POST', headers: { 'content-type': type, ...more }, body });

const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding));

describe('1: client_ip and url', () => {
  test.each([
    ['127.0.0.1', undefined],
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9', '1.2.3.4, 203.0.113.9, 10.1.2.3'],
    ['203.0.113.9', '203.0.113.9:4711'],
    ['203.0.113.9', '::ffff:203.0.113.9'],
    ['2001:db8::1', '[2001:DB8::1]:443'],
    ['10.1.2.3', '203.0.113.9, unknown, 10.1.2.3'],
    ['127.0.0.1', 'nonsense'],
  ])('%s is the client of %s', async (expected, forwarded) => {
    const event = await seen(forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } });
    expect(event.client_ip).toBe(expected);
  });

  test('url is the address of the endpoint, the path encoded anew, the query as sent', async () => {
    expect((await seen({}, '/a%2Fb/c%20d?x=%20&y=+')).url).toBe(`${endpoint}/a/b/c%20d?x=%20&y=+`);
  });

  test('an instant source that admits its sender by client_ip gets its requests', async () => {
    const source = await scene.source(ADMITTING);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    await fetch(source.endpoint, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' },
    });
    await fetch(`${source.endpoint}/hook`, { method: 'POST', headers });
    const [event] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event).toEqual({ from: '203.0.113.9', at: `${source.endpoint}/hook` });
  });
});

describe('2: multipart forms', () => {
  test('fields, repeated fields, files of text and of bytes', async () => {
    const form = new FormData();
    form.append('submissionID', '55');
    form.append('rawRequest', '{"q":"x"}');
    form.append('ä', '1');
    form.append('ä', '2');
    form.append('note', new File(['hallo'], 'ü.txt', { type: 'text/plain' }));
    form.append('image', new File([new Uint8Array([255, 0])], 'a.png', { type: 'image/png' }));
    const event = await seen({ method: 'POST', body: form });
    expect(event.body).toEqual({
      submissionID: '55',
      rawRequest: '{"q":"x"}',
      ä: ['1', '2'],
      note: { filename: 'ü.txt', mimetype: 'text/plain', size: 5, content: 'hallo' },
      image: { filename: 'a.png', mimetype: 'image/png', size: 2, content: '/wA=', isBase64Encoded: true },
    });
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.bodyRaw, 'base64').includes(Buffer.from([255, 0]))).toBe(true);
  });

  const part = (head: string, content = '1') => `--X\r\n${head}\r\n\r\n${content}\r\n`;
  const named = (name: string) => part(`Content-Disposition: form-data; ${name}`);
  const type = 'multipart/form-data; boundary=X';

  test.each([
    ['a name without quotes, after a preamble', `hello\r\n${named('name=a')}--X--`, { a: '1' }],
    [
      'a file name in its extended form',
      `${named(`name="a"; filename="x"; filename*=UTF-8''%e2%82%ac.txt`)}--X--`,
      { a: { filename: '€.txt', mimetype: 'text/plain', size: 1, content: '1' } },
    ],
    ['a name of Object', `${named('name="__proto__"')}--X--`, JSON.parse('{"__proto__":"1"}') as object],
  ])('%s', async (_, text, expected) => {
    expect((await sent(type, text)).body).toEqual(expected);
  });

  test.each([
    ['no end', named('name="a"')],
    ['more than 1,000 parts', `${named('name="a"').repeat(1_001)}--X--`],
    [
      'a header of the name constructor',
      `${part('constructor: x\r\nContent-Disposition: form-data; name=a')}--X--`,
    ],
    ['a header that never ends', `--X\r\nContent-Disposition: form-data; name="a"\r\n\r\r1\r\n--X--\r\n`],
  ])('a body with %s stays text', async (_, text) => {
    const event = await sent(type, text);
    expect([event.body, event.bodyRaw]).toEqual([text, text]);
  });

  test('a source reads a form', async () => {
    const source = await scene.source(FORM);
    const form = new FormData();
    form.append('submissionID', '55');
    form.append('rawRequest', '{"q":"x"}');
    await fetch(source.endpoint, { method: 'POST', body: form });
    const [event] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event).toEqual({ id: '55', q: 'x' });
  });
});

describe('3: JSON whatever its label, character sets, encodings', () => {
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
    expect((await sent(type, body)).body).toEqual({ Type: 'x' });
  });

  test('ISO-8859-1 is decoded, in JSON, in text and in a form', async () => {
    const latin = 'charset=ISO-8859-1';
    expect((await sent(`application/json; ${latin}`, bytes('{"a":"ü"}', 'latin1'))).body).toEqual({ a: 'ü' });
    expect((await sent(`text/plain; ${latin}`, bytes('ü', 'latin1'))).bodyRaw).toBe('ü');
    // These bytes are UTF-8, too.
    expect((await sent(`text/plain; ${latin}`, bytes('Ã¼', 'latin1'))).body).toBe('Ã¼');
    const form = `application/x-www-form-urlencoded; ${latin}`;
    expect((await sent(form, bytes('a=%FC&b=ü+c', 'latin1'))).body).toEqual({ a: 'ü', b: 'ü c' });
  });

  test.each(['{"a":1}\n{"a":2}', '{"a":1,}', '5', '"text"', '[1'])(
    '%s as text/plain stays text',
    async (text) => {
      expect(await sent('text/plain', text)).toMatchObject({ body: text, bodyRaw: text });
    },
  );

  test('bodyRaw keeps the byte order mark, on which a signature may depend', async () => {
    expect((await sent('text/plain', bytes(`\uFEFF${json} `))).bodyRaw).toBe(`\uFEFF${json} `);
  });

  test.each([
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['deflate', deflateRawSync(json)],
    ['br', brotliCompressSync(json)],
    ['deflate, gzip', gzipSync(deflateSync(json))],
  ])('%s is decoded', async (encoding, body) => {
    const event = await sent('application/json', new Uint8Array(body), { 'content-encoding': encoding });
    expect(event).toMatchObject({ body: { Type: 'x' }, bodyRaw: json });
    expect(event).not.toHaveProperty('isBase64Encoded');
  });

  test('what does not decode stays as it was sent', async () => {
    const event = await sent('application/json', json, { 'content-encoding': 'gzip' });
    expect(event.body).toEqual({ Type: 'x' });
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(600_000))],
    ['br', brotliCompressSync(Buffer.alloc(100_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(20_000_000)))],
  ])('a body that %s decodes beyond 512 KB is 413', async (encoding, body) => {
    const headers = { 'content-encoding': encoding };
    const response = await fetch(endpoint, { method: 'POST', headers, body: new Uint8Array(body) });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'too_large']);
  });

  test('a component confirms a notification that comes as text/plain', async () => {
    const { endpoint: confirming } = await scene.source(CONFIRMING);
    const body = JSON.stringify({ Type: 'SubscriptionConfirmation', Token: 't' });
    const response = await fetch(confirming, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    });
    expect(await response.text()).toBe('confirmed t');
  });
});

describe('4: the path is decoded once', () => {
  test.each([
    ['/a%2Fb/c%20d', '/a/b/c d'],
    ['/%CE%BB', '/λ'],
    ['/a%2520b', '/a%20b'],
    ['/a%3Fb', '/a?b'],
    ['/%zz/%ff/%20', '/%zz/%ff/ '],
  ])('%s is %s', async (path, expected) => {
    const event = await seen({}, path);
    expect(event.path).toBe(expected);
    expect(decodeURIComponent(new URL(event.url).pathname)).toBe(new URL(endpoint).pathname + expected);
  });
});
