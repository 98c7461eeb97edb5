import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { DEADLINE_MS } from '../support/until.ts';
import { TEST_KEY, startService, stopService } from '../support/service.ts';

const readme = readFileSync('README.md', 'utf8');
const [, tour = ''] = /<!-- tour: begin -->(.*)<!-- tour: end -->/s.exec(readme) ?? [];
const commands = [...tour.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text).join('\n');
const [, promised = ''] = /```\n(\{"genuine".*\})\n```/.exec(tour) ?? [];

test("each command of the README's tour has the described result", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tour-'));
  cpSync('docs/examples', join(folder, 'docs', 'examples'), { recursive: true });
  // Like this checkout, where the data lies by default: once it made ECMAScript modules of the programs that are kept with the data.
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const service = await startService({ dataDir: join(folder, '.data') });
  try {
    const { stdout } = await promisify(execFile)('bash', ['-e', '-m', '-c', commands], {
      cwd: folder,
      timeout: DEADLINE_MS,
      env: {
        ...process.env,
        KEY: TEST_KEY,
        API: service.base,
        PLAYGROUND_PORT: String(await freePort()),
      },
    });
    expect(promised).not.toBe('');
    expect(stdout).toContain(promised);
    expect(stdout).toContain('"summary":"Greeted Ada"');
    expect(stdout).toContain('greeting number 1');
  } finally {
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  }
});
