import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';

test('a program that fails while it runs a service ends with 1, and the service ends too', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'failed-program-'));
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  const module = pathToFileURL(join(import.meta.dirname, '../../support/service.ts')).href;
  const program = `
    const { startService } = await import(${JSON.stringify(module)});
    const service = await startService({ dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write(String(service.process.pid));
    throw new Error('A figure is out of its budget');`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  expect(stderr).toContain('A figure is out of its budget');
  expect(status).toBe(1);
  const pid = Number(stdout);
  expect(pid).toBeGreaterThan(0);
  await until('the end of the service', () => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
