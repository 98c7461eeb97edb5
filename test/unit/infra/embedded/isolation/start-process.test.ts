import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../../../../../infra/embedded/isolation/start-process.ts';
import { Users } from '../../../../../infra/embedded/isolation/users.ts';
import { gatewayOptions } from '../../../../support/gateway-options.ts';

test('a start that fails gives its operating-system user back', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'start-process-'));
  const temporary = join(parent, 'process');
  mkdirSync(temporary);
  const users = new Users();
  const started = startProcess(
    {
      owner: 'dc_1',
      args: [],
      cwd: temporary,
      env: {},
      readable: [],
      writable: [join(temporary, 'absent')],
      memoryMb: 1_000,
      network: { allowPrivate: true, allowList: [], exceptions: [] },
      temporary,
    },
    {
      isolation: { level: 'user' },
      users,
      ports: () => ({ ownPorts: [], openPorts: [] }),
      holder: () => ({ owner: 'u_1', party: 'dc_1' }),
      shared: gatewayOptions(),
      onPid: () => undefined,
    },
  );

  await expect(started).rejects.toThrow();
  expect(users.all).toEqual([]);
  rmSync(parent, { recursive: true });
});
