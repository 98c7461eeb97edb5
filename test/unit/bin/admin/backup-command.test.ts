import { expect, test } from 'vitest';
import type { Operate, Operator } from '../../../../bin/admin/operator.ts';
import { createUnreadableItems } from '../../../../bin/admin/unreadable-items.ts';
import { BackupRefused } from '../../../../infra/embedded/backup/refusals.ts';
import type { BackUp } from '../../../../infra/embedded/backup/backup.ts';
import { runCommand, startCommand } from '../../../support/command.ts';
import { until } from '../../../support/until.ts';

const operateWith =
  (backUp: BackUp | undefined): Operate =>
  (_, use) =>
    use({ machine: backUp && { backUp }, unreadable: createUnreadableItems() } as Operator);

const made: BackUp = (path) => Promise.resolve({ path, bytes: 12_345_678, entries: 42, files: 3 });

test('prints the size and the line that checks the backup', async () => {
  const operate = operateWith(made);
  const { code, out } = await runCommand(['admin', 'backup', "it's monday"], { operate, cwd: '/home/ann' });
  expect(code).toBe(0);
  const [about, check] = out.split('\n');
  expect(about).toMatch(
    /^Made the backup \/home\/ann\/it's monday: 12\.3 MB, 42 entries and 3 files of large bodies, in \d+\.\d s\.$/,
  );
  expect(check).toBe(
    `Check it: DATA_DIR='/home/ann/it'\\''s monday' PORT=3100 INGRESS_PORT=3101 tributary start --paused`,
  );
});

test('prints JSON', async () => {
  const { out } = await runCommand(['admin', 'backup', '/b/monday', '--json'], {
    operate: operateWith(made),
  });
  expect(JSON.parse(out)).toEqual({
    path: '/b/monday',
    bytes: 12_345_678,
    entries: 42,
    files: 3,
    duration_ms: expect.any(Number) as unknown,
    check: 'DATA_DIR=/b/monday PORT=3100 INGRESS_PORT=3101 tributary start --paused',
  });
});

test('ends with the sentence of a refusal', async () => {
  const operate = operateWith(() => Promise.reject(new BackupRefused('There is something at /b already.')));
  const ended = await runCommand(['admin', 'backup', '/b'], { operate });
  expect(ended).toMatchObject({ code: 1, out: '', error: 'There is something at /b already.\n' });
});

test('ends the backup at Ctrl-C', async () => {
  let isRunning = false;
  const operate = operateWith((_, signal) => {
    isRunning = true;
    return new Promise((__, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('The service ended before it answered.'));
      });
    });
  });
  const running = startCommand(['admin', 'backup', '/b'], { operate });
  await until('the backup', () => isRunning);
  running.interrupt();
  expect(await running.ended).toMatchObject({
    code: 1,
    error: 'The backup was ended. Nothing of it is left.\n',
  });
});

test('of a stack on AWS says what there is instead', async () => {
  const { code, error } = await runCommand(['admin', 'backup', '/b', '--stack', 'prod']);
  expect(code).toBe(1);
  expect(error).toContain('docs/backup.md');
});

test('needs a path', async () => {
  const { code, error } = await runCommand(['admin', 'backup']);
  expect(code).toBe(2);
  expect(error).toContain('The argument path is missing: tributary admin backup <path>.');
});
