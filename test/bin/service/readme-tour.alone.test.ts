import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { openCommandSocket } from '../../support/pages/command-socket.ts';
import { expectTour } from '../../support/readme-tour.ts';
import { startService, stopService } from '../../support/service.ts';

test("each command of the README's tour has the described result", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tour-'));
  cpSync('docs/examples', join(folder, 'docs', 'examples'), { recursive: true });
  // Like this checkout, where the data lies by default: once it made ECMAScript modules of the programs that are kept
  // with the data.
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  // The commands find the service here by its data directory.
  const service = await startService({ dataDir: join(folder, '.data') });
  const commands = await openCommandSocket(folder);
  try {
    await expectTour({ folder, service, commands });
  } finally {
    await commands.close();
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  }
});
