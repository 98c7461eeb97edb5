import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFaults } from '../../infra/embedded/faults.ts';
import { Scene } from '../support/scene.ts';

/** Answers with its event. */
const MIRROR = `export default {
  name: 'Mirror', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run(event) { this.http.respond({ status: 200, headers: { server: 'mirror' }, body: event }); },
};`;

/** Each request once in every combination of forms, with high probability. */
const ROUNDS = 24;
const faults = randomFaults(11, {
  'decoded-path': 0.5,
  'base64-body': 0.5,
  'decoded-body': 0.5,
  'gateway-header': 0.5,
  'renamed-header': 0.5,
});

let scene: Scene;
let endpoint: string;
beforeAll(async () => {
  scene = await Scene.open({ faults });
  ({ endpoint } = await scene.source(MIRROR));
});
afterAll(() => scene.close());

/**
 * The responses that a client can tell apart, without the id of the request. An encoded `/` of `url` is as it was sent,
 * or decoded by the gateway.
 */
async function responsesTo(address: string, init: RequestInit): Promise<string[]> {
  const responses = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const response = await fetch(address, init);
    const text = await response.text();
    const same = text.replace(/"request_id":"[^"]*"/, '').replace(/("url":"[^"]*)%2F/, '$1/');
    responses.add(`${response.status} ${same}`);
  }
  return [...responses];
}

const post = (type: string, body: string | Uint8Array<ArrayBuffer>) => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});

const gzipped = (text: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  body: new Uint8Array(gzipSync(text)),
});

describe('the event of a request is the same in every form that the gateway gives it', () => {
  test.each<[string, string, RequestInit, object]>([
    ['a path with a space', '/a%20b', {}, { path: '/a b' }],
    ['a path in another script', '/%CE%BB/%E4%B8%96', {}, { path: '/λ/世' }],
    ['a path with an encoded #', '/a%23b', {}, { path: '/a#b' }],
    ['a path with an encoded /', '/a%2Fb', {}, { path: '/a/b' }],
    ['a query', '?a=%20%2F%3F&b=+&a=2', {}, { path: '/', query: { a: [' /?', '2'], b: ' ' } }],
    ['JSON', '', post('application/json', '{"ä":1}'), { body: { ä: 1 }, bodyRaw: '{"ä":1}' }],
    ['a form', '', post('application/x-www-form-urlencoded', 'a=1&b=%20'), { body: { a: '1', b: ' ' } }],
    ['text', '', post('text/plain', '\ufeffä\r\n'), { body: '\ufeffä\r\n' }],
    ['bytes', '', post('image/png', new Uint8Array([255, 0])), { body: '/wA=', isBase64Encoded: true }],
    ['JSON in gzip', '', gzipped('{"ä":1}'), { body: { ä: 1 }, bodyRaw: '{"ä":1}' }],
    ['an array in gzip', '', gzipped('[1]'), { body: [1], bodyRaw: '[1]' }],
    ['an empty object in gzip', '', gzipped('{}'), { body: {}, bodyRaw: '{}' }],
    ['forwarding headers', '', { headers: { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=x' } }, {}],
    ['a content type without a body', '', { headers: { 'content-type': 'application/json' } }, {}],
  ])('%s', async (_, path, init, expected) => {
    const responses = await responsesTo(endpoint + path, init);
    expect(responses).toHaveLength(1);
    const [status, text] = [responses[0]?.slice(0, 3), responses[0]?.slice(4) ?? ''];
    expect(status).toBe('200');
    const event = JSON.parse(text) as { headers: Record<string, string> };
    expect(event).toMatchObject(expected);
    expect(Object.keys(event.headers)).not.toContain('forwarded');
    expect(Object.keys(event.headers)).not.toContain('content-encoding');
    if (init.body === undefined) expect(event).not.toHaveProperty('headers.content-type');
  });
});

test('the API answers the same in every form', async () => {
  const { base, key } = scene.cloud;
  const headers = { authorization: `Bearer ${key}` };
  const responses = await Promise.all([
    responsesTo(`${base}/components/a%20key`, { headers }),
    responsesTo(`${base}/workflows/p_x/%24errors/event_summaries`, { headers }),
    responsesTo(`${base}/sources`, {
      ...post('application/json', '{"name":"ä"}'),
      headers: { ...headers, 'content-type': 'application/json' },
    }),
    responsesTo(`${base}/users/me/webhooks`, { headers }),
    responsesTo(`${base}/nothing%20here`, { headers }),
  ]);
  expect(responses.map((each) => each.map((text) => text.slice(0, 3)))).toEqual([
    ['404'],
    ['404'],
    ['400'],
    ['200'],
    ['404'],
  ]);
});

test('a key that is missing is 401, whatever the name of its header becomes', async () => {
  const names = new Set<string>();
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const { status, headers } = await fetch(`${scene.cloud.base}/users/me`);
    expect(status).toBe(401);
    for (const name of headers.keys()) if (name.endsWith('www-authenticate')) names.add(name);
    expect(headers.get('www-authenticate') ?? headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  }
  expect([...names].sort()).toEqual(['www-authenticate', 'x-amzn-remapped-www-authenticate']);
});

test('every form occurred often', () => {
  for (const kind of ['decoded-path', 'base64-body', 'decoded-body', 'gateway-header', 'renamed-header'] as const)
    expect(faults.counts[kind], kind).toBeGreaterThan(20);
});
