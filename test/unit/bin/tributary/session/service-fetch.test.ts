import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceFetch } from '../../../../../bin/tributary/session/service-fetch.ts';
import { createTributary } from '../../../../../shared/client/create-tributary.ts';

/** A service, and a proxy that leads every host to it. */
async function network() {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const hosts: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ request, body });
      const type = { 'content-type': 'application/json', 'x-request-id': 'r-1' };
      if (request.method === 'DELETE') response.writeHead(204).end();
      else response.writeHead(200, type).end('{"data":{"id":"dc_1"}}');
    });
  });
  server.on('connect', ({ url }, socket) => {
    hosts.push(String(url));
    const tunnel = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, hosts, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const KEY = 'the-secret-key';

test.each(['HTTP_PROXY', 'http_proxy'])('requests go through %s, with their body', async (name) => {
  const { seen, hosts, origin } = await network();
  const fetch = createServiceFetch({ [name]: origin }, () => undefined);
  const client = createTributary({ url: 'http://service.test', key: KEY, fetch });
  expect(await client.post('/v1/sources', { body: { name: 'é' } })).toEqual({ data: { id: 'dc_1' } });
  await client.delete('/v1/sources/dc_1');
  expect(new Set(hosts)).toEqual(new Set(['service.test:80']));
  expect(seen.map(({ request, body }) => [request.method, request.url, body])).toEqual([
    ['POST', '/v1/sources', '{"name":"é"}'],
    ['DELETE', '/v1/sources/dc_1', ''],
  ]);
  const { headers } = seen[0]?.request ?? expect.fail();
  expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
  expect(headers['user-agent']).toMatch(/^tributary-cli\/\d/);
});

test('requests to this machine do not; --debug describes them, without the key', async () => {
  const { hosts, origin } = await network();
  const lines: string[] = [];
  const fetch = createServiceFetch({ HTTP_PROXY: 'http://127.0.0.1:9' }, (line) => lines.push(line));
  await createTributary({ url: origin, key: KEY, fetch }).get('/v1/users/me');
  expect(hosts).toEqual([]);
  expect(lines).toEqual([`> GET ${origin}/v1/users/me`, expect.stringMatching(/^< 200 \d+ ms r-1$/) as string]);
});
