import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { until } from '../support/until.ts';

/** Requests of a client without a key: no memory for bodies, and a share of the thread. */

let cloud: TestCloud;
let endpoint: URL;
const sockets = new Set<Socket>();

beforeAll(async () => {
  cloud = await startTestCloud();
  const response = await fetch(`${cloud.base}/sources`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({
      component_code: `export default { name: 'Echo', version: '0.0.1', props: { http: '$.interface.http' }, run(event) { this.$emit(event.body); } };`,
    }),
  });
  const { data } = (await response.json()) as {
    data: { configured_props: { http: { endpoint_url: string } } };
  };
  endpoint = new URL(data.configured_props.http.endpoint_url);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => cloud.stop());

const bearer = () => ({ authorization: `Bearer ${cloud.key}` });

function send(origin: string, text: string, from = '127.0.0.1') {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port), localAddress: from });
  sockets.add(socket);
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  return { socket, heard: () => heard, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0) };
}

/** A request whose body of 200,000 bytes does not come. */
const head = (path: string, headers: Record<string, string> = {}, method = 'POST') =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: h',
    'Content-Type: application/json',
    'Content-Length: 200000',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n{"a":',
  ].join('\r\n');

describe('a body that has not come', () => {
  test.each([
    ['the API, without a key', '/v1/sources', 401],
    ['the API, with a wrong key', '/v1/sources', 401, 'Bearer wrong-key-0123456789abcdef'],
    ['an unknown path of the API, without a key', '/v1/nothing', 401],
    ['the documentation', '/docs', 200, undefined, 'GET'],
    ['the console', '/console', 200, undefined, 'GET'],
    ['a page of sign-ins', '/connect/confirm', 404],
  ])('for %s is not waited for', async (_, path, status, authorization?: string, method?: string) => {
    const one = send(cloud.origin, head(path, authorization === undefined ? {} : { authorization }, method));
    await until('the response', () => one.status() > 0);
    expect(one.status()).toBe(status);
  });

  test('for the API with a key is waited for, unless the path takes none', async () => {
    const known = send(cloud.origin, head('/v1/sources', bearer()));
    const unknown = send(cloud.origin, head('/v1/nothing', bearer()));
    const wrong = send(cloud.origin, head('/v1/users/me', bearer()));
    await until('both', () => unknown.status() === 404 && wrong.status() === 405);
    expect(known.heard()).toBe('');
    known.socket.write(`"${'x'.repeat(199_992)}"}`);
    await until('the response', () => known.status() === 400);
    expect(known.heard()).toContain('"code":"invalid_request"');
  });

  test('for an endpoint that is not open is not waited for; an open one gets it', async () => {
    const none = send(cloud.ingress, head('/0123456789abcdef0123456789abcdef'));
    const open = send(cloud.ingress, head(endpoint.pathname));
    await until('the response', () => none.status() === 404);
    expect(open.heard()).toBe('');
    open.socket.write(`"${'x'.repeat(199_992)}"}`);
    await until('the response', () => open.status() === 200);
  });

  test('for a workflow with a wrong credential is not waited for', async () => {
    const path = '/workflows/p_0123456789abcdefghijklmn/emits';
    const one = send(cloud.ingress, head(path, { Authorization: 'Bearer no' }));
    await until('the response', () => one.status() === 401);
  });

  test('cannot be passed off as another question by a header of the client', async () => {
    const text = head(endpoint.pathname, { isHeadCheck: 'true', 'x-head-check': '1' });
    const one = send(cloud.ingress, `${text}"${'x'.repeat(199_992)}"}`);
    await until('the response', () => one.status() === 200);
    expect(one.heard()).toContain('"success":true');
  });
});
