import { once } from 'node:events';
import { get as httpGet, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';

/** The Content-Security-Policy of the interface, word by word. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Bytes of compressed scripts, without the editor. */
const MAX_SCRIPT_BYTES = 250_000;

let cloud: TestCloud;
let page: string;

beforeAll(async () => {
  cloud = await startTestCloud();
  page = await (await get('/console')).text();
});
afterAll(() => cloud.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(cloud.origin + path, { headers, redirect: 'manual' });

const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, address = '']) => address);

test('the root redirects to the console', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/console']);
});

test.each(['/console', '/console/', '/console/sources/dc_1/code', '/console/no-such-page'])(
  '%s gives the page of the app, which a browser asks for each time',
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(page);
    const known = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect([known.status, await known.text()]).toEqual([304, '']);
  },
);

test('the page has nothing inline and nothing from other hosts', () => {
  expect(addressesIn(page).length).toBeGreaterThanOrEqual(3);
  expect(page).not.toMatch(/<style|style=|\son\w+=|https?:/);
  expect([...page.matchAll(/<script\b([^>]*)>([^<]*)</g)].map(([, , content]) => content)).toEqual(['', '']);
});

describe('the guide', () => {
  test.each(['/guide', '/guide/', '/guide/delivery', '/guide/start', '/guide/examples'])(
    '%s is a page that needs no key, with nothing inline',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const text = await response.text();
      expect(text).not.toMatch(/<style|\sstyle=|<[^>]*\son\w+=|<script[^>]*>[^<]/);
      for (const address of addressesIn(text)) expect((await get(address)).status, address).toBe(200);
      expect(addressesIn(text).length).toBeGreaterThanOrEqual(3);
    },
  );

  test('leads to each of its pages and pictures', async () => {
    const index = await (await get('/guide')).text();
    const targets = [...index.matchAll(/(?:href|src)="(\/guide\/[^"#]+)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(30);
    for (const target of new Set(targets)) expect((await get(target)).status, target).toBe(200);
    expect((await get('/guide/console.png')).headers.get('content-type')).toBe('image/png');
  });

  test('is sent compressed', async () => {
    const { headers, body } = await rawResponse(`${cloud.origin}/guide/delivery`, 'br');
    expect(headers['content-encoding']).toBe('br');
    expect(body.length).toBeLessThan(30_000);
  });

  test('says with its index that a page does not exist', async () => {
    for (const path of [
      '/guide/no-such-page',
      '/guide/..%2findex.js',
      '/guide/constructor',
      '/guide/delivery.html.br',
    ]) {
      const response = await get(path);
      expect([response.status, response.headers.get('cache-control')], path).toEqual([404, 'no-store']);
      expect(await response.text()).toContain('<title>Guide · Tributary</title>');
    }
  });
});

describe('files', () => {
  test('have a name of their content and are immutable', async () => {
    for (const address of addressesIn(page)) {
      const response = await get(address);
      expect(response.status, address).toBe(200);
      expect(address).toMatch(/-[A-Z0-9]{8}\.(?:js|css|svg)$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('that do not exist are not found, and are not kept', async () => {
    const response = await get('/console/assets/app-OLDOLD12.js');
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    for (const path of ['/console/assets/index.html', '/console/assets/..%2findex.js', '/console/assets/constructor'])
      expect((await get(path)).status, path).toBe(404);
  });

  test('are sent as the browser takes them: brotli, gzip or plain', async () => {
    const [script = ''] = addressesIn(page).filter((address) => address.endsWith('.js'));
    const read = async (accepted: string) => {
      const { headers, body } = await rawResponse(cloud.origin + script, accepted);
      expect(headers['vary']).toBe('accept-encoding');
      return { encoding: headers['content-encoding'], body };
    };
    const plain = await read('identity');
    const br = await read('gzip, deflate, br;q=0.9');
    const gzip = await read('gzip;q=0.5, br;q=0');
    expect([plain.encoding, br.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
  });
});

test('every response has the headers that keep the key safe', async () => {
  const [asset = ''] = addressesIn(page);
  for (const path of ['/', '/console', '/console/none', asset, '/console/assets/none.js', '/guide', '/guide/none']) {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy'), path).toBe(POLICY);
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
  }
});

test('only GET needs no key', async () => {
  for (const path of ['/', '/console', '/console/sources', '/guide/delivery'])
    expect((await fetch(cloud.origin + path, { method: 'POST' })).status, path).toBe(401);
});

test(`the scripts of all pages have at most ${MAX_SCRIPT_BYTES / 1_000} KB compressed, without the editor`, async () => {
  const seen = new Set<string>();
  let bytes = 0;
  const read = async (address: string): Promise<void> => {
    if (seen.has(address)) return;
    seen.add(address);
    bytes += (await rawResponse(cloud.origin + address, 'gzip')).body.length;
    const text = await (await get(address)).text();
    for (const [, name = ''] of text.matchAll(/["']\.\/([\w.-]+\.js)["']/g))
      if (!name.startsWith('code-mirror-')) await read(`/console/assets/${name}`);
  };
  for (const address of addressesIn(page).filter((each) => each.endsWith('.js'))) await read(address);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
});

test('a browser needs five requests and 150 KB compressed before it can paint', async () => {
  const needed = addressesIn(page).filter((address) => !address.endsWith('.svg'));
  expect(needed.length + 1).toBeLessThanOrEqual(5);
  const responses = await Promise.all(
    ['/console', ...needed].map((address) => rawResponse(cloud.origin + address, 'br')),
  );
  expect(responses.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(150_000);
});

/** The response as it travels; `fetch` would decompress it. */
async function rawResponse(
  address: string,
  acceptEncoding: string,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const [response] = (await once(httpGet(address, { headers: { 'accept-encoding': acceptEncoding } }), 'response')) as [
    IncomingMessage,
  ];
  return { headers: response.headers, body: await buffer(response) };
}
