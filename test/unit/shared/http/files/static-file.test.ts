import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { documentAt, pageAt } from '../../../../../shared/http/docs/docs.ts';
import { compressedFile, fileResponse } from '../../../../../shared/http/files/static-file.ts';

const ask = (headers: Record<string, string>) => ({
  header: (name: string) => headers[name],
  cacheControl: 'no-cache',
});
const bytesOf = (response: { body?: string | undefined }) => Buffer.from(response.body ?? '', 'base64');

describe('a file', () => {
  const file = compressedFile('text/plain', 'äb'.repeat(1_000));

  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['GZIP;q=0.5, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('for a client that takes %j is sent as %s', (accepted, encoding, decode) => {
    const response = fileResponse(file, ask({ 'accept-encoding': accepted }));
    expect(response.statusCode).toBe(200);
    expect(response.headers?.['content-encoding']).toBe(encoding);
    expect(decode(bytesOf(response)).toString()).toBe('äb'.repeat(1_000));
  });

  test('is not sent to a client that has it', () => {
    const { headers: { etag } = {} } = fileResponse(file, ask({}));
    const tag = String(etag);
    for (const known of [tag, tag.replace('W/', ''), `"x", ${tag}`, '*'])
      expect(fileResponse(file, ask({ 'if-none-match': known }))).toEqual({
        statusCode: 304,
        headers: { etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' },
      });
    for (const other of ['"x"', '', tag.slice(0, -2)])
      expect(fileResponse(file, ask({ 'if-none-match': other })).statusCode).toBe(200);
  });
});

describe.each([
  ['the document', documentAt],
  ['its page', pageAt],
])('%s of the API', (_, make) => {
  const at = (origin: string) => make({ origin, header: () => 'br' });

  test('is made once for an origin: later clients get the same bytes', () => {
    expect(at('https://one.test').body).toBe(at('https://one.test').body);
    expect(brotliDecompressSync(bytesOf(at('https://one.test'))).toString()).toContain('https://one.test');
  });

  test('at invented origins costs no compression, and those of before keep theirs', () => {
    at('https://known.test');
    for (let n = 0; n < 20; n += 1) at(`https://invented-${n}.test`);
    const invented = at('https://invented-19.test');
    expect(invented.headers?.['content-encoding']).toBeUndefined();
    expect(bytesOf(invented).toString()).toContain('https://invented-19.test');
    expect(at('https://known.test').headers?.['content-encoding']).toBe('br');
  });
});
