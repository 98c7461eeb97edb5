import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../programs/compat/certificate.ts';
import { apiClient } from '../../support/api-client.ts';
import { closeServer } from '../../support/close-server.ts';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

test('deliveries trust the authorities of NODE_EXTRA_CA_CERTS, and name one that they do not know', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const known = selfSigned(['localhost']);
  writeFileSync(join(folder, 'authority.pem'), known.cert);
  const receiver = async ({ key, cert }: typeof known) => {
    const server = createServer({ key, cert }, (_, response) => response.end());
    onTestFinished(() => closeServer(server));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `https://localhost:${(server.address() as AddressInfo).port}/`;
  };
  const urls = [await receiver(known), await receiver(selfSigned(['localhost']))];

  const service = await startService({
    dataDir: join(folder, 'data'),
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') },
  });
  onTestFinished(() => stopService(service));
  const api = await apiClient(service.base, TEST_KEY);
  const outcomes = urls.map(async (url) => {
    const { body } = await api.post('/webhooks', undefined, { query: { url } });
    const tested = await until('the outcome', async () => {
      const { status, body: response } = await api.post(`/webhooks/${body.data.id}/test`);
      return status === 200 && response.data;
    });
    return [tested.outcome, tested.reason];
  });
  expect(await Promise.all(outcomes)).toEqual([
    ['delivered', null],
    [expect.any(String), expect.stringContaining('The TLS certificate is self-signed')],
  ]);
});
