import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { IdentityProvider } from '../../support/identity-provider.ts';
import { startArguments, startService, stopService } from '../../support/service.ts';
import { DEADLINE_MS } from '../../support/until.ts';

test('a service at which people sign in does not start with one host name for both, and says how to go on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-sign-in-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const document = join(folder, 'sign-in.json');
  const provider = await IdentityProvider.start();
  onTestFinished(() => provider.down());
  const [port, ingressPort] = [await freePort(), await freePort()];
  const addresses = (ingressHost: string) => ({
    PORT: String(port),
    INGRESS_PORT: String(ingressPort),
    PUBLIC_API_URL: `http://localhost:${port}`,
    PUBLIC_URL: `http://${ingressHost}:${ingressPort}`,
  });
  const admin = (env: Record<string, string>, ...argv: string[]) =>
    promisify(execFile)(process.execPath, ['bin/tributary.mjs', 'admin', 'sign-in', ...argv], {
      env: { ...process.env, DATA_DIR: dataDir, ...env },
    });
  const startAndEnd = async () => {
    const child = spawn(process.execPath, await startArguments(), {
      env: { ...process.env, DATA_DIR: dataDir, ...addresses('localhost') },
    });
    const forced = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    const [[code], error] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    clearTimeout(forced);
    return { code: code as unknown, error };
  };
  const start = async (ingressHost: string) =>
    startService({ dataDir, port, ingressPort, env: addresses(ingressHost) });

  writeFileSync(
    document,
    JSON.stringify({
      name: 'Acme SSO',
      issuer: provider.issuer,
      client_id: provider.clientId,
      users: { admin: { owners: ['ann@acme.com'] } },
    }),
  );
  const first = await start('localhost');
  await expect(admin({}, 'set', document)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Set PUBLIC_API_URL and PUBLIC_URL to different host names') as string,
  });
  await stopService(first);
  const second = await start('127.0.0.1');
  expect((await admin({}, 'set', document)).stdout).toContain('People sign in by Acme SSO');
  await stopService(second);

  expect(await startAndEnd()).toEqual({
    code: 2,
    error: expect.stringMatching(/another host name than the API.*Or end sign-in: tributary admin sign-in remove\.\n$/),
  });
  await admin(addresses('localhost'), 'remove');
  await stopService(await start('localhost'));
});
