import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { runCommand } from '../support/command.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';

/**
 * The other service has only the API that docs/coming-from-pipedream.md describes: no `key` of a component, no lists of
 * auto-subscriptions, accounts, workflows and components, errors of a form of its own, and a last page that still has a
 * cursor.
 */

const KEY = 'key-of-the-other-service';
const CODE = `export default { name: 'Shop', key: 'shop', version: '0.0.1', run() {}, props: {
  http: '$.interface.http', db: '$.service.db', limit: 'integer', tag: { type: 'string', optional: true },
  token: { type: 'string', secret: true }, other: { type: 'string', secret: true } } };`;
const component = {
  id: 'sc_1',
  code: CODE,
  code_hash: 'af01',
  name: 'Shop',
  version: '0.0.1',
  configurable_props: [
    { name: 'http', type: '$.interface.http' },
    { name: 'db', type: '$.service.db' },
    { name: 'limit', type: 'integer' },
    { name: 'tag', type: 'string', optional: true },
    { name: 'token', type: 'string', secret: true },
    { name: 'other', type: 'string', secret: true },
  ],
  created_at: 1,
  updated_at: 1,
};
const sourceOf = (id: string, slug: string, active: boolean, component_id = 'sc_1') => ({
  id,
  component_id,
  configured_props: { http: { endpoint_url: 'https://x' }, limit: 3, tag: "it's", token: 't', other: 'o' },
  active,
  created_at: 1,
  updated_at: 1,
  name: slug,
  name_slug: slug,
});
const lists: Record<string, object[]> = {
  '/v1/users/me/sources': [
    sourceOf('dc_1', 'shop', true),
    sourceOf('dc_2', 'till', false),
    sourceOf('dc_3', 'gone', true, 'sc_gone'),
  ],
  '/v1/users/me/webhooks': [
    {
      id: 'wh_1',
      name: 'archive',
      description: null,
      url: 'http://127.0.0.1:9/a',
      active: true,
      created_at: 1,
      updated_at: 1,
    },
  ],
};
const subscriptions = [{ id: 'sub_1', emitter_id: 'dc_1', listener_id: 'wh_1', event_name: '' }];

function respondTo(url: URL): [number, unknown] {
  const path = url.pathname.replace(/\/$/, '');
  const list = lists[path];
  if (list) {
    const cursors = { start_cursor: 'a', end_cursor: 'z' };
    const data = url.searchParams.has('after') ? [] : list;
    return [200, { page_info: { total_count: list.length, count: data.length, ...cursors }, data }];
  }
  if (path === '/v1/users/me/subscriptions') return [200, { data: subscriptions }];
  if (path === '/v1/components/sc_1') return [200, { data: component }];
  return [404, { error: 'record not found' }];
}

let scene: Scene;
let other: Server;
let fromUrl: string;
const folder = mkdtempSync(join(tmpdir(), 'tributary-interface-'));
beforeAll(async () => {
  scene = await Scene.open();
  other = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${KEY}` && request.method === 'GET';
    const [status, body] = isKnown
      ? respondTo(new URL(request.url ?? '', 'http://x'))
      : [401, { error: 'unauthorized' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  fromUrl = `http://127.0.0.1:${z.object({ port: z.number() }).parse(other.address()).port}`;
});
afterAll(async () => {
  other.close();
  rmSync(folder, { recursive: true, force: true });
  await scene.close();
});

let users = 0;
async function aUser() {
  const { api_key: key } = await operator(scene.cloud)<{ api_key: string }>('users create', {
    username: `importer-${(users += 1)}`,
    email: 'user@localhost',
  });
  const env = { TRIBUTARY_URL: scene.cloud.origin, TRIBUTARY_API_KEY: key, PIPEDREAM_API_KEY: KEY };
  const argv = ['import', '--from-pipedream', '--from-url', fromUrl];
  return {
    api: scene.api.as(key),
    run: (...more: string[]) => runCommand([...argv, ...more], { env, cwd: folder }),
    command: (...words: string[]) => runCommand(words, { env, cwd: folder }),
  };
}
const sourcesIn = async ({ api }: Awaited<ReturnType<typeof aUser>>) =>
  (await api.get('/users/me/sources')).body.data.map(
    ({ name_slug: slug, active, configured_props: { limit, tag, token } }: ReturnType<typeof sourceOf>) => ({
      slug,
      active,
      limit,
      tag,
      token,
    }),
  );

test('its sources, webhooks and subscriptions come along; the command for a source that lacks values keeps the others', async () => {
  const user = await aUser();
  const { code, out, error } = await user.run();
  expect(error).not.toContain('no Tributary is there');
  expect(code).toBe(1);
  expect(out).toContain('made component Shop\nmade webhook archive\n2 made, 0 changed, 0 as they were\n');
  expect(error).toContain('Left out: source gone: its component was left out.');
  const command = /tributary (sources create sc_\w+ --name till .*)\n/.exec(error)?.[1] ?? '';
  expect(command).toMatch(
    /--prop-json limit=3 --prop-json 'tag="it'\\''s"' --prop other=VALUE --prop token=VALUE --disabled$/,
  );
  // As a shell reads it.
  const words = [...command.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\'/g, (_, quoted?: string) => quoted ?? "'"),
  );
  expect(await user.command(...words)).toMatchObject({ code: 0 });
  expect(await sourcesIn(user)).toEqual([{ slug: 'till', active: false, limit: 3, tag: "it's", token: 'VALUE' }]);
});

test('--set gives the values that do not come along, from a file, too', async () => {
  const user = await aUser();
  writeFileSync(join(folder, 'token.txt'), 'from-file');
  const set = ['shop.token=@token.txt', 'shop.other=o', 'till.token=t=1', 'till.other=o', 'till.limit=7'];
  const { code, out, error } = await user.run(...set.flatMap((line) => ['--set', line]));
  expect(code).toBe(1);
  expect(out).toContain('5 made, 0 changed, 0 as they were\n');
  expect(error).toContain('1 thing was left out.');
  expect(await sourcesIn(user)).toEqual([
    { slug: 'till', active: false, limit: 7, tag: "it's", token: 't=1' },
    { slug: 'shop', active: false, limit: 3, tag: "it's", token: 'from-file' },
  ]);
});

test('a --set that means nothing is exit 2 and makes nothing; a given secret is not printed', async () => {
  const user = await aUser();
  expect(await user.run('--set', 'shop')).toMatchObject({
    code: 2,
    error: '--set must be SOURCE.PROP=VALUE.\n',
  });
  expect((await user.run('--set', 'shpo.token=x')).error).toContain('Did you mean shop?');
  expect(await sourcesIn(user)).toEqual([]);
  const { error } = await user.run('--set', 'till.token=hunter2');
  expect(error).toMatch(/sources create sc_\w+ --name till --prop token=VALUE .*--prop other=VALUE --disabled/);
  expect(error).not.toContain('hunter2');
});
