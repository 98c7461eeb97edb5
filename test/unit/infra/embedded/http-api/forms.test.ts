import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { randomFaults } from '../../../../../infra/embedded/faults.ts';
import { responseForm, gatewayPath, requestForm } from '../../../../../infra/embedded/http-api/forms.ts';

const always = () => randomFaults(1, { 'decoded-path': 1, 'base64-body': 1, 'gateway-header': 1, 'renamed-header': 1 });
const received = (path: string, body = '', rawHeaders: string[] = []) => ({
  method: 'POST',
  path,
  query: '',
  rawHeaders,
  body: Buffer.from(body),
  sourceIp: '192.0.2.1',
  protocol: 'HTTP/1.1',
  client: { isOpen: true, whenOver: () => () => undefined },
});

/** The forms of live captures: https://github.com/hotsock/voker/pull/8 */
test.each([
  ['/plain', '/plain'],
  ['/a%20b', '/a b'],
  ['/a%3Fb', '/a'],
  ['/a%23b', '/a#b'],
  ['/a%2Fb', '/a/b'],
  ['/%CE%BB', '/λ'],
  ['/a%252Fb', '/a/b'],
  ['/a%253Fb', '/a?b'],
  ['/a%2525b', '/a%b'],
  ['/a%25b', undefined],
])('the path %s reaches a function as %s', (path, form) => {
  expect(gatewayPath(path)).toBe(form);
});

test('a request whose path the gateway would refuse keeps its form', () => {
  expect(requestForm(received('/a%25b'), always()).path).toBe('/a%25b');
});

test('X-Forwarded-For becomes Forwarded, and a request without body has a content type and a length', () => {
  const { rawHeaders } = requestForm(received('/', '', ['Accept', '*/*', 'X-Forwarded-For', 'x']), always());
  expect(rawHeaders).toEqual([
    ...['Accept', '*/*', 'Forwarded', 'by=3.3.3.3;for=192.0.2.1;host=gateway;proto=https'],
    ...['content-type', 'application/octet-stream', 'content-length', '0'],
  ]);
  const withBody = requestForm(received('/', 'x'), always());
  expect(withBody.rawHeaders.filter((_, n) => n % 2 === 0)).toEqual(['Forwarded']);
  expect(withBody.isBinary).toBe(true);
});

test('a body in gzip arrives decoded, without the headers of its coding and length; no other body does', () => {
  const faults = () => randomFaults(1, { 'decoded-body': 1 });
  const headers = ['Content-Encoding', 'gzip', 'Content-Length', '24', 'X-A', 'b'];
  const zipped = { ...received('/', '', headers), body: gzipSync('text') };
  expect(requestForm(zipped, faults())).toMatchObject({ body: Buffer.from('text'), rawHeaders: ['X-A', 'b'] });
  for (const other of [received('/', 'text', headers), { ...zipped, rawHeaders: [] }])
    expect(requestForm(other, faults())).toEqual(other);
});

test('WWW-Authenticate has another name, other headers keep theirs', () => {
  const headers = ['www-authenticate', 'Bearer', 'Retry-After', '1'];
  expect(responseForm({ status: 401, headers, body: '' }, always()).headers).toEqual([
    ...['x-amzn-Remapped-www-authenticate', 'Bearer', 'Retry-After', '1'],
  ]);
});
