import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importIds } from '../../../bin/admin/commands/kept-ids-commands.ts';
import { UserId } from '../../../shared/domain/id.ts';
import { echoComponent } from '../../support/components.ts';
import { Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-ids-'));
const file = join(folder, 'ids.json');
let scene: Scene;
let admin: OperatorAtWork;
beforeAll(async () => {
  scene = await Scene.open();
  admin = await operatorThroughSocket(scene.cloud);
});
afterAll(async () => {
  await admin.close();
  await scene.close();
  rmSync(folder, { recursive: true });
});

const ENDPOINT = '0123456789abcdef0123456789abcdef';
const WORKFLOW = 'p_0123456789abcdefghijklmn';
const kept = (more: object = {}) => ({
  version: 1,
  endpoints: [{ source: 'orders', id: ENDPOINT }],
  workflows: [
    { id: WORKFLOW, name: 'invoices', target: 'https://flows.example.com/in', credential_hash: 'a'.repeat(64) },
  ],
  ...more,
});
const exported = async (user: string) => (await admin.run(['users', 'export', '--user', user, '--keep-ids'])).json;
async function imported(user: string, ids: unknown) {
  writeFileSync(file, typeof ids === 'string' ? ids : JSON.stringify(ids));
  return (await admin.run(['users', 'import', '--user', user, '--keep-ids', '--file', file])).json as {
    left_out: string[];
    secrets: Record<string, string>;
  };
}
/** The command ends with code 1 when something was left out. */
async function leftOutOf(user: string, ids: object) {
  writeFileSync(file, JSON.stringify(ids));
  const report = await importIds.run(admin.operator, { user: UserId.parse(user), file, keepIds: true });
  expect(report.isFailed).toBe(true);
  return (report.json as { left_out: string[] }).left_out;
}
const statusOf = async (url: string) => (await fetch(url, { method: 'POST', body: '{}' })).status;

const me = async () => ((await scene.api.get('/users/me')).body.data as { id: string }).id;

test('endpoints and workflows get the ids of another service: its addresses answer, the temporary ones no longer', async () => {
  const user = await me();
  const { endpoint } = await scene.source(echoComponent(), { name: 'orders' });
  const address = endpoint.replace(/[0-9a-f]{32}/, ENDPOINT);
  expect([await statusOf(endpoint), await statusOf(address)]).toEqual([200, 404]);
  const { left_out: leftOut, secrets } = await imported(user, kept());
  expect(leftOut).toEqual([]);
  expect(secrets[WORKFLOW]).toMatch(/^whsec_/);
  await until('the address answers', async () => (await statusOf(address)) === 200);
  await until('the temporary address is gone', async () => (await statusOf(endpoint)) === 404);
  expect(await exported(user)).toEqual(kept());
  // A repetition changes nothing and makes no new secret.
  expect(await imported(user, kept())).toEqual({ left_out: [], secrets: {} });
  expect(await statusOf(address)).toBe(200);
});

test('an id that another user has stays with that user', async () => {
  const { id } = (await admin.run(['users', 'create', '--username', 'bob', '--email', 'bob@example.org'])).json as {
    id: string;
  };
  const before = await exported(await me());
  expect(await leftOutOf(id, kept())).toEqual([
    'The user has no source orders with an endpoint.',
    `The id of the workflow ${WORKFLOW} is in use.`,
  ]);
  expect(await exported(await me())).toEqual(before);
  await scene.source(echoComponent(), { name: 'others' });
  expect(await leftOutOf(await me(), kept({ endpoints: [{ source: 'others', id: ENDPOINT }] }))).toEqual([
    'The endpoint of the source others was not changed: its id is in use, or the source has changed.',
  ]);
});

test.each(['{', '{"version":1,"endpoints":[{"source":"orders","id":"../x"}],"workflows":[]}'])(
  'refuses %s',
  async (text) => {
    await expect(imported(await me(), text)).rejects.toThrow('is not the output of `admin users export --keep-ids`');
  },
);

test('needs the option that says that ids are kept', async () => {
  await expect(admin.run(['users', 'export', '--user', await me()])).rejects.toThrow(/--keep-ids is needed/);
});
