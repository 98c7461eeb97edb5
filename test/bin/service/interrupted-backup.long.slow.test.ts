import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../infra/embedded/disk/data-directory.ts';
import { apiClient } from '../../support/api-client.ts';
import { type Service, type ServiceOptions, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';

/**
 * docs/backup.md: an interrupted backup of a large data directory leaves nothing that a start takes for a backup, and
 * can be repeated.
 */

/** The copy of so many takes seconds. */
const ROWS = 150_000;
const ROWS_OF_COMMIT = 5_000;

const mounts = (await smallDisk(1).then((disk) => (disk?.stop(), disk !== undefined))) ? test : test.skip;

let folder: string;
let dataDir: string;
const services: Service[] = [];

/** Fills a data directory. The service knows nothing of these rows, and copies them. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-backup-'));
  dataDir = join(folder, 'data');
  const disk = await openDataDirectory(dataDir);
  for (let n = 0; n < ROWS; n += 1) {
    disk.put(`ballast/${n}`, 'x'.repeat(100));
    if (n % ROWS_OF_COMMIT === 0) await disk.commit();
  }
  await disk.commit();
  await disk.close();
});
afterEach(async () => {
  for (const service of services.splice(0)) await stopService(service);
  rmSync(folder, { recursive: true, force: true });
});

async function start(directory: string, more: Pick<ServiceOptions, 'env' | 'wrapper'> = {}): Promise<Service> {
  if (!existsSync(join(directory, 'assembly'))) shareAssembly(directory);
  const service = await startService({ dataDir: directory, ...more });
  services.push(service);
  return service;
}

const command = (path: string) =>
  promisify(execFile)(process.execPath, ['bin/tributary.mjs', 'admin', 'backup', path, '--json'], {
    env: { ...process.env, DATA_DIR: dataDir },
  });

/**
 * Begins a backup. Resolves in the middle of its copy, with the command and its failure. The test may see the path
 * under another name.
 */
async function halfBackup(path: string, seen = path) {
  const made = command(path);
  const failed = made.then(
    () => expect.fail('The backup was made.'),
    (error: unknown) => error,
  );
  const store = join(`${seen}.unfinished-backup`, 'store');
  await until('a part of the copy', () => existsSync(store) && readdirSync(store).length > 2);
  return { child: made.child, failed };
}

const newWebhook = async (service: Service) => {
  const api = await apiClient(service.base, TEST_KEY);
  const { body } = await api.post('/webhooks', undefined, { query: { url: 'http://127.0.0.1:9/' } });
  return body.data.id as string;
};
const webhooksOf = async (service: Service) => {
  const api = await apiClient(service.base, TEST_KEY);
  return ((await api.get('/users/me/webhooks')).body.data as { id: string }[]).map(({ id }) => id);
};

test('after kill -9 of the service no start takes the half copy, whatever its name, and the next backup is whole', async () => {
  const original = await start(dataDir);
  const id = await newWebhook(original);
  const path = join(folder, 'copy');
  const { failed } = await halfBackup(path);
  original.process.kill('SIGKILL');
  await original.ended;
  expect(await failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\S.*\.\n$/) as string });
  expect(readdirSync(folder).toSorted()).toEqual(['copy.unfinished-backup', 'data']);

  const renamed = join(folder, 'monday');
  renameSync(`${path}.unfinished-backup`, renamed);
  await expect(start(renamed)).rejects.toThrow(
    `The data directory ${renamed} is a backup that was interrupted, and not whole: remove it, and make another one.`,
  );
  renameSync(renamed, `${path}.unfinished-backup`);

  expect(await webhooksOf(await start(dataDir))).toEqual([id]);
  await command(path);
  expect(readdirSync(folder).toSorted()).toEqual(['copy', 'data']);
  await stopService(services.pop() ?? expect.fail());
  expect(await webhooksOf(await start(path))).toEqual([id]);
});

test('kill -9 of the command ends the backup and leaves nothing of it, and the service goes on', async () => {
  const service = await start(dataDir);
  const path = join(folder, 'copy');
  const { child, failed } = await halfBackup(path);
  child.kill('SIGKILL');
  await failed;
  await until('the end of the copy', () => !existsSync(`${path}.unfinished-backup`));
  expect(readdirSync(folder)).toEqual(['data']);
  const id = await newWebhook(service);
  await command(path);
  await expect(command(path)).rejects.toMatchObject({
    stderr: `There is something at ${path} already: remove it, or choose another path.\n`,
  });
  await stopService(services.pop() ?? expect.fail());
  expect(await webhooksOf(await start(path))).toEqual([id]);
});

mounts('a disk that becomes full in the middle ends the backup with a sentence, and leaves nothing on it', async () => {
  const small = (await smallDisk(200)) ?? expect.fail('There is no small disk.');
  onTestFinished(() => {
    small.stop();
  });
  await start(dataDir, { wrapper: small.within, env: { ISOLATION: 'process' } });
  const path = join(small.innerPath, 'copy');
  const seen = join(small.path, 'copy');
  const { failed } = await halfBackup(path, seen);
  small.fill();
  expect(await failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The disk of .* has no room for the backup: .*\n$/) as string,
  });
  expect(readdirSync(small.path)).toEqual(['ballast']);
  small.free();
  await command(path);
  expect(readdirSync(seen).toSorted()).toEqual(['keys', 'objects', 'store']);
});
