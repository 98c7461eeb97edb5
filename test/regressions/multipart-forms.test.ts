import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Mirror } from '../support/mirror.ts';

/** Form back ends send a multipart form with JSON in a field. */
const FORM = `export default {
  name: 'Reads a form', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit({ id: body.submissionID, ...JSON.parse(body.rawRequest) }); },
};`;

let mirror: Mirror;
beforeAll(async () => {
  mirror = await Mirror.open();
});
afterAll(() => mirror.close());

describe('multipart forms', () => {
  test('fields, repeated fields, files of text and of bytes', async () => {
    const form = new FormData();
    form.append('submissionID', '55');
    form.append('rawRequest', '{"q":"x"}');
    form.append('ä', '1');
    form.append('ä', '2');
    form.append('note', new File(['hallo'], 'ü.txt', { type: 'text/plain' }));
    form.append('image', new File([new Uint8Array([255, 0])], 'a.png', { type: 'image/png' }));
    const event = await mirror.seen({ method: 'POST', body: form });
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
    expect((await mirror.sent(type, text)).body).toEqual(expected);
  });

  test.each([
    ['no end', named('name="a"')],
    ['more than 1,000 parts', `${named('name="a"').repeat(1_001)}--X--`],
    ['a header of the name constructor', `${part('constructor: x\r\nContent-Disposition: form-data; name=a')}--X--`],
    ['a header that never ends', `--X\r\nContent-Disposition: form-data; name="a"\r\n\r\r1\r\n--X--\r\n`],
  ])('a body with %s stays text', async (_, text) => {
    const event = await mirror.sent(type, text);
    expect([event.body, event.bodyRaw]).toEqual([text, text]);
  });

  test('a source reads a form', async () => {
    const source = await mirror.scene.source(FORM);
    const form = new FormData();
    form.append('submissionID', '55');
    form.append('rawRequest', '{"q":"x"}');
    await fetch(source.endpoint, { method: 'POST', body: form });
    const [event] = await mirror.scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event).toEqual({ id: '55', q: 'x' });
  });
});
