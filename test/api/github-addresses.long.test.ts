import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { type FileServer, serveFiles } from '../support/files-over-http.ts';
import { Scene } from '../support/scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-github-'));
let github: FileServer;
let scene: Scene;
let api: ApiClient;

/** A repository as raw.githubusercontent.com has it: an app, and a source that imports it and another file. */
const ref = '/Owner/Repo/main';
const component = (more = '') => `import app from '../../demo.app.mjs';
import { words } from '../../common/words.mjs';${more}
export default { key: 'demo-source', name: 'Demo', version: '0.0.1', props: { app }, run() { this.$emit({ said: this.app.say(words) }); } };`;

beforeAll(async () => {
  github = await serveFiles(folder);
  for (const at of [
    ref,
    '/Owner/Repo/HEAD',
    '/Owner/Repo/refs/heads/main',
    '/Owner/Repo/0123456789abcdef0123456789abcdef01234567',
  ]) {
    github.texts.set(`${at}/components/demo/sources/hello/hello.mjs`, component(`\nexport const at = '${at}';`));
    github.texts.set(
      `${at}/components/demo/demo.app.mjs`,
      `export default { type: 'app', app: 'demo', methods: { say: (text) => text + ' from ${at}' } };`,
    );
    github.texts.set(`${at}/components/demo/common/words.mjs`, `export const words = 'hello';`);
  }
  const componentHosts = { 'raw.githubusercontent.com': github.origin, 'github.com': github.origin };
  scene = await Scene.open({ assembly: assemblyWith({ componentHosts }) });
  api = scene.api;
});
afterAll(async () => {
  await scene.close();
  await github.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = 'components/demo/sources/hello/hello.mjs';
test.each([
  [`https://github.com/Owner/Repo/blob/main/${file}`, ref],
  [`https://www.github.com/Owner/Repo/blob/main/${file}`, ref],
  [`https://github.com/Owner/Repo/raw/main/${file}`, ref],
  [
    `https://github.com/Owner/Repo/blob/0123456789abcdef0123456789abcdef01234567/${file}`,
    '/Owner/Repo/0123456789abcdef0123456789abcdef01234567',
  ],
  [`https://raw.githubusercontent.com/Owner/Repo/main/${file}`, ref],
  [`https://raw.githubusercontent.com/Owner/Repo/refs/heads/main/${file}`, '/Owner/Repo/refs/heads/main'],
  [`https://github.com/Owner/Repo/${file}`, '/Owner/Repo/HEAD'],
  [`https://github.com/Owner/Repo/blob/main/${file}?raw=true#L1-L3`, ref],
])('%s deploys, with the relative imports of its ref, and shows its address', async (address, at) => {
  const { status, body } = await api.post('/components', { component_url: address });
  expect([status, body.data?.component_url], JSON.stringify(body)).toEqual([200, address]);
  expect(body.data).toMatchObject({ key: 'demo-source', name: 'Demo' });
  const source = (await api.post('/sources', { component_url: address })).body.data;
  await api.post(`/sources/${source.id}/run`, {});
  await expect
    .poll(async () => (await api.get(`/sources/${source.id}/event_summaries`)).body.data[0]?.event)
    .toEqual({ said: `hello from ${at}` });
});

test('a file that is not there is a 400 naming the address', async () => {
  const { status, body } = await api.post('/components', {
    component_url: 'https://github.com/Owner/Repo/blob/main/none.mjs',
  });
  expect([status, body.code]).toEqual([400, 'build_failed']);
  expect(body.error).toMatch(/none\.mjs/);
});
