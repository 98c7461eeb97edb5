import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { echoComponent } from '../../support/components.ts';
import { Scene } from '../../support/scene.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';
import { closeServer } from '../../support/close-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-publish-'));
let scene: Scene;
let admin: OperatorAtWork;
let server: Server;
/** Two users: `ann` deploys a component of `bob`, or an unknown one. */
let ann: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  scene = await Scene.open();
  admin = await operatorThroughSocket(scene.cloud);
  const user = async (name: string) => {
    const { json } = await admin.run(['users', 'create', '--username', name, '--email', `${name}@localhost`]);
    return scene.api.as((json as { api_key: string }).api_key);
  };
  [ann, bob] = [await user('ann'), await user('bob')];
  server = createServer((_, response) => response.end(echoComponent({ name: 'By address', key: 'by-url' })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await admin.close();
  await scene.close();
  await closeServer(server);
  rmSync(folder, { recursive: true, force: true });
});

async function published(...argv: string[]): Promise<{ id: string; key: string; name: string }> {
  const { json } = await admin.run(['components', 'publish', ...argv]);
  return json as { id: string; key: string; name: string };
}

function file(name: string, code: string): string {
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
}

test('every user can read a component published from a file, by key and by id, and deploy it', async () => {
  const path = file('echo.mjs', echoComponent({ name: 'Echo', key: 'everybodys' }));
  const component = await published('--file', path);
  expect(component).toEqual({
    id: expect.stringMatching(/^sc_/) as string,
    key: 'everybodys',
    name: 'Echo',
  });
  for (const api of [ann, bob]) {
    expect((await api.get('/components/registry/everybodys')).body.data.id).toBe(component.id);
    expect((await api.get(`/components/${component.id}`)).body.data.name).toBe('Echo');
    const { status, body } = await api.post('/sources', { component_id: component.id });
    expect([status, body.data.component_id]).toEqual([200, component.id]);
  }
  // Their own newest component of a key is another question.
  expect((await ann.get('/components/everybodys')).status).toBe(404);
});

test('another of the same key replaces what the registry finds; older ids go on working', async () => {
  const older = await published('--file', file('one.mjs', echoComponent({ name: 'One', key: 'replaced' })));
  const newer = await published('--file', file('two.mjs', echoComponent({ name: 'Two', key: 'replaced' })));
  expect(newer.id).not.toBe(older.id);
  expect((await ann.get('/components/registry/replaced')).body.data).toMatchObject({
    id: newer.id,
    name: 'Two',
  });
  expect((await ann.get(`/components/${older.id}`)).body.data.name).toBe('One');
  expect((await ann.post('/sources', { component_id: older.id })).status).toBe(200);
});

test("a user's component is theirs until it is published by its id", async () => {
  const { body } = await bob.post('/components', {
    component_code: echoComponent({ name: 'Bob', key: 'bobs' }),
  });
  const { id } = body.data;
  expect((await ann.get(`/components/${id}`)).status).toBe(404);
  expect((await ann.post('/sources', { component_id: id })).status).toBe(404);
  expect(await published('--id', id)).toEqual({ id, key: 'bobs', name: 'Bob' });
  expect((await ann.get('/components/registry/bobs')).body.data.id).toBe(id);
  expect((await ann.post('/sources', { component_id: id })).status).toBe(200);
});

test('an address is fetched and built', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/source.mjs`;
  const { id } = await published('--url', url);
  const { data } = (await ann.get('/components/registry/by-url')).body;
  expect(data).toMatchObject({ id, name: 'By address', component_url: url });
});

test.each([
  ['an id that nobody has', ['--id', 'sc_unknown'], 'There is no component sc_unknown.'],
  ['a file that is not there', ['--file', 'missing.mjs'], 'The file missing.mjs cannot be read.'],
  [
    'code without a key',
    ['--file', file('keyless.mjs', "export default { name: 'Keyless', version: '0.0.1', run() {} }")],
    'The component Keyless has no key; add one, because the registry lists components by key.',
  ],
  ['code that is none', ['--file', file('broken.mjs', 'export default {')], /^component.mjs:1:17: Expected identifier/],
  ['code without a component', ['--file', file('empty.mjs', 'export const a = 1;')], /default/],
  ['an address that nobody answers at', ['--url', 'http://127.0.0.1:9/a.mjs'], /http:\/\/127.0.0.1:9\/a.mjs/],
])('%s cannot be published; a sentence gives the reason', async (_, argv, why) => {
  const attempt = published(...argv);
  await expect(attempt).rejects.toThrow(why);
});
