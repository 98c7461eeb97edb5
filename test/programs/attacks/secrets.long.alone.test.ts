import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { registerTestClient } from '../../support/register-client.ts';
import { type Deployed, Scene } from '../../support/scene.ts';
import { signInAt } from '../../support/sign-in.ts';
import { until } from '../../support/until.ts';
import { outcomeAt } from './attack.ts';
import { availableLevels } from './levels.ts';
import { secrets, TOOLS } from './secrets.ts';

/** Attempts against a real account of kind `oauth`, in a whole cloud: docs/isolation.md has their outcomes. */

// `/tmp` is a component's own directory: the attempts aim at a data directory elsewhere.
vi.stubEnv('TMPDIR', '/var/tmp');

/** The path of the first file in a folder, so that the attempt aims at one that is there. */
function fileIn(folder: string): string {
  const [name] = readdirSync(folder);
  const path = join(folder, name ?? 'none');
  expect(existsSync(path)).toBe(true);
  return path;
}

function component(target: Record<string, unknown>): string {
  const attempts = secrets.map(({ code }) => `async function (event) { return (${code}); }`);
  return `${TOOLS}
    const target = ${JSON.stringify(target)};
    const attempts = [${attempts.join(',\n')}];
    export default {
      name: 'Searches', version: '0.0.1',
      props: {
        app: { type: 'app', app: 'acme' }, db: '$.service.db', http: { type: '$.interface.http', customResponse: true },
        list: { type: 'string', optional: true, options() { return [found(this, heard)]; } },
        more: { type: 'boolean', optional: true, reloadProps: true },
      },
      async additionalProps() { return { found: { type: 'string', optional: true, label: found(this, heard) } }; },
      hooks: { async activate() { this.db.set('hook', found(this)); } },
      async run(event) {
        let got;
        try { got = await attempts[event.body.attempt].call(this, event); } catch (error) { got = error.cause?.code ?? error.code ?? error.message; }
        this.http.respond({ status: 200, body: { got: String(got) } });
      },
    };`;
}

for (const level of availableLevels) {
  describe(`${level}: a component finds its access token, and no refresh token or secret of a client`, () => {
    let scene: Scene;
    let provider: AuthorizationServer;
    let account: string;
    let source: Deployed;
    let code: string;
    beforeAll(async () => {
      scene = await Scene.open({ isolation: level });
      expect(scene.cloud.cloud.open.isolation).toBe(level);
      provider = await AuthorizationServer.start();
      await registerTestClient(scene.cloud, {
        settings: provider.settings,
        clientSecret: `cs-${randomBytes(12).toString('hex')}`,
      });
      // Another account of the user, whose token no other source gets.
      provider.login = 'grace';
      await signInAt(provider, scene.api, { app: 'acme' });
      provider.login = 'ada';
      provider.expiresIn = 1;
      account = await signInAt(provider, scene.api, { app: 'acme' });
      provider.expiresIn = 3_600;
      const { dataDir } = scene.cloud;
      code = component({
        service: process.pid,
        dataDir,
        key: fileIn(join(dataDir, 'keys')),
        journal: fileIn(join(dataDir, 'store', 'journal')),
        api: `${scene.cloud.base}/accounts/${account}`,
      });
      const { expires_at_ms: expiresAt } = (await scene.api.get(`/accounts/${account}`)).body.data;
      await until('the end of the token', () => Date.now() >= expiresAt);
      source = await scene.source(code, { configured_props: { app: { authProvisionId: account } } });
      expect(provider.tokenRequests.at(-1)).toMatchObject({ grant_type: 'refresh_token' });
      // Patched builtins hear the requests after the first.
      await scene.send(source.endpoint, { attempt: 0 });
    });
    afterAll(async () => {
      await scene.close();
      await provider.stop();
    });

    test.each(secrets.map((attack, attempt) => ({ ...attack, attempt, name: attack.attempt })))(
      '$name',
      async ({ attempt, ...attack }) => {
        const response = await scene.send(source.endpoint, { attempt });
        expect(await response.json()).toEqual({ got: outcomeAt(attack, level) });
      },
    );

    test('in options and additional props', async () => {
      const { body: made } = await scene.api.post('/components', { component_code: code });
      const configured_props = { app: { authProvisionId: account } };
      const of = (more: object) =>
        scene.api.post('/components/configure', { id: made.data.id, configured_props, ...more });
      const options = await of({ prop_name: 'list' });
      expect(options.body.data?.options, options.text).toEqual(['its access token']);
      const props = await of({ reload: true });
      expect(props.text).toContain('"label":"its access token"');
    });
  });
}
