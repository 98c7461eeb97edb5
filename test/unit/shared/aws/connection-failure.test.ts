import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { once } from 'node:events';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { Agent, request } from 'undici';
import { connector } from '../../../../shared/aws/network.ts';
import { connectionFailure } from '../../../../shared/aws/connection-failure.ts';
import { selfSigned } from '../../../programs/compat/certificate.ts';
import { freePort } from '../../../support/free-port.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(onConnection: (socket: Socket) => void): Promise<number> {
  const port = await freePort();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      onConnection(socket);
    });
  }).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return port;
}
const failureOf = async (url: string): Promise<string> => request(url).then(() => 'a response', connectionFailure);

test('a refused, a closed and a reset connection are told apart', async () => {
  const refused = await freePort();
  expect(await failureOf(`http://127.0.0.1:${refused}/`)).toBe(
    `The connection was refused (connect ECONNREFUSED 127.0.0.1:${refused})`,
  );
  const closing = await portOf((socket) => socket.end());
  expect(await failureOf(`http://127.0.0.1:${closing}/`)).toBe(
    'The connection was closed before a response came (UND_ERR_SOCKET)',
  );
  const resetting = await portOf((socket) => socket.resetAndDestroy());
  expect(await failureOf(`http://127.0.0.1:${resetting}/`)).toBe(
    'The connection was reset before a response came (read ECONNRESET)',
  );
});

test('an address without TLS is told without the places of OpenSSL', async () => {
  const port = await portOf((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await failureOf(`https://127.0.0.1:${port}/`)).toBe(
    'The address does not speak TLS (ERR_SSL_WRONG_VERSION_NUMBER)',
  );
});

test.each([
  [
    'TLSv1.2',
    'The receiver refused the TLS handshake: it may want a client certificate, and attempts send none (ERR_SSL_',
  ],
  ['TLSv1.3', 'The receiver wants a client certificate, and attempts send none (ERR_SSL_'],
] as const)('the reason names a client certificate that the receiver wants, with %s', async (version, reason) => {
  const { key, cert } = selfSigned(['localhost']);
  const versions = { minVersion: version, maxVersion: version };
  const server = createSecureServer({ key, cert, requestCert: true, ca: [cert], ...versions });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rule = { allowPrivate: false, allowList: ['127.0.0.1/32', '::1/128'] };
  const dispatcher = new Agent({ connect: connector(rule, { ca: cert }) });
  onTestFinished(() => dispatcher.destroy());
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const sent = request(url, { dispatcher, method: 'POST', body: '{}' });
  expect(await sent.then(() => 'a response', connectionFailure)).toContain(reason);
});

test('an error without a known code is its message, its code or its name', () => {
  expect(connectionFailure(new Error('no such thing\nat a place'))).toBe('no such thing');
  expect(connectionFailure(Object.assign(new Error(''), { code: 'EODD' }))).toBe('EODD');
  expect(connectionFailure(new TypeError(''))).toBe('TypeError');
  expect(connectionFailure('odd')).toBe('odd');
});
