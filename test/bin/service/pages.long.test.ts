import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { operator } from '../../support/operator.ts';
import { type CommandSocket, openCommandSocket } from '../../support/pages/command-socket.ts';
import { followPage } from '../../support/pages/follow-page.ts';
import { Scene } from '../../support/scene.ts';

/*
 * Every command of the guides is executed, every file is written, and every output is compared. One service runs for
 * all pages.
 */

const folder = mkdtempSync(join(tmpdir(), 'tributary-pages-'));
let scene: Scene;
let commands: CommandSocket;
beforeAll(async () => {
  scene = await Scene.open();
  commands = await openCommandSocket(folder, scene.cloud);
});
afterAll(async () => {
  await commands.close();
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

let users = 0;
async function aKey(): Promise<string> {
  const username = `reader-${(users += 1)}`;
  const created = await operator(scene.cloud)<{ api_key: string }>('users create', {
    username,
    email: 'reader@localhost',
  });
  return created.api_key;
}

/** Follows a page as a user of its own. */
async function follow(
  page: string,
  more: { env?: Record<string, string>; replacements?: readonly (readonly [string, string])[] } = {},
): Promise<void> {
  const here = join(folder, basename(page, '.md'));
  mkdirSync(here);
  cpSync('docs/examples', join(here, 'docs', 'examples'), { recursive: true });
  const port = String(await freePort());
  const { origin, ingress } = scene.cloud;
  await followPage(page, {
    folder: here,
    commands,
    env: {
      PLAYGROUND_PORT: port,
      TRIBUTARY_URL: origin,
      TRIBUTARY_API_KEY: await aKey(),
      ...more.env,
    },
    replacements: [
      ['http://127.0.0.1:3000', origin],
      ['http://127.0.0.1:3001', ingress],
      ['127.0.0.1:4000', `127.0.0.1:${port}`],
      ['.listen(4000', `.listen(${port}`],
      ...(more.replacements ?? []),
    ],
  });
}

describe.concurrent('each command has the described result', () => {
  test.each(['docs/writing-components.md', 'docs/quickstart.md'])('%s', (page) => follow(page));

  test('docs/coming-from-pipedream.md', async () => {
    const key = await aKey();
    await pipedreamAccount(key);
    await follow('docs/coming-from-pipedream.md', {
      env: { PIPEDREAM_API_KEY: key },
      replacements: [['--from-pipedream', `--from-pipedream --from-url ${scene.cloud.origin}`]],
    });
  });
});

/** The account that the page copies, on this service. */
async function pipedreamAccount(key: string): Promise<void> {
  const api = scene.api.as(key);
  const code = `export default { name: 'Shop', key: 'shop', version: '1.0.0', props: { http: '$.interface.http', token: { type: 'string', secret: true, optional: true } }, run({ body }) { this.$emit(body); } };`;
  const source = await api.post('/sources', { component_code: code, configured_props: { token: 'there' } });
  const webhook = await api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', name: 'archive' });
  const [emitter_id, listener_id] = [source, webhook].map(({ body }) => String(body.data.id));
  await api.post('/subscriptions', { emitter_id, listener_id });
}
