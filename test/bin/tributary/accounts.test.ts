import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountId } from '../../../shared/domain/id.ts';
import { endedGrant } from '../../../shared/domain/oauth/renewal.ts';
import { accountStore } from '../../../shared/store/accounts/accounts.ts';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { BrowserClient } from '../../support/browser-client.ts';
import { runCommand, startCommand } from '../../support/command.ts';
import { registerTestClient } from '../../support/register-client.ts';
import { Scene } from '../../support/scene.ts';
import { tableOf } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-accounts-'));
const SECRET = 'canary-of-a-field';
let scene: Scene;
let env: Record<string, string>;

/** Shows the fields of its account by their lengths. */
const READER = `export default {
  name: 'Reader', key: 'reader', version: '0.0.1',
  props: { shop: { type: 'app', app: 'shop' } },
  run() {
    const { token = '', region = '' } = this.shop.$auth;
    this.$emit({ token: token.length, region: region.length });
  },
};
`;

beforeAll(async () => {
  scene = await Scene.open();
  env = {
    TRIBUTARY_URL: scene.cloud.origin,
    TRIBUTARY_API_KEY: scene.cloud.key,
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  writeFileSync(join(folder, 'reader.mjs'), READER);
  writeFileSync(join(folder, 'token.txt'), `${SECRET}\n`);
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const tributary = (argv: readonly string[], input?: string) =>
  runCommand(argv, { env, cwd: folder, ...(input === undefined ? {} : { input }) });

interface Account {
  id: string;
  app: string;
  name: string;
  kind: string;
  field_names: string[];
  used_by: number;
}

async function json<T = Account>(argv: readonly string[], input?: string): Promise<T> {
  const { code, out, error } = await tributary([...argv, '--json'], input);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out) as T;
}

describe('accounts', () => {
  test('are added with fields of files and of the standard input, which no output shows', async () => {
    const argv = ['accounts', 'add', 'shop', '--name', 'work', '--field', 'token=@token.txt', '--field', 'region=-'];
    const { code, out, error } = await tributary(argv, 'eu\n');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain('work');
    expect(out).not.toContain(SECRET);
    const account = await json(['accounts', 'get', 'work']);
    expect(account).toMatchObject({
      app: 'shop',
      kind: 'fields',
      field_names: expect.arrayContaining(['region', 'token']),
      used_by: 0,
    });

    await json(['sources', 'create', 'reader.mjs', '--name', 'reads', '--account', 'shop=work']);
    await json(['sources', 'run', 'reads']);
    const [event] = await json<{ event: unknown }[]>(['events', 'reads']);
    expect(event?.event).toEqual({ token: SECRET.length, region: 2 });
    expect((await json(['accounts', 'get', account.id])).used_by).toBe(1);
  });

  test('are renamed, and single fields changed or removed', async () => {
    await json(['accounts', 'add', 'shop', '--name', 'first', '--field', 'token=a', '--field', 'region=b']);
    const changed = await json(
      ['accounts', 'update', 'first', '--name', 'second', '--unset', 'region', '--field', 'id=-'],
      '7',
    );
    expect(changed).toMatchObject({ name: 'second', field_names: expect.arrayContaining(['id', 'token']) });
    expect((await tributary(['accounts', 'get', 'first'])).error).toContain('There is no account first.');
  });

  test('that sources use are deleted only with --force', async () => {
    await json(['accounts', 'add', 'shop', '--name', 'used', '--field', 'token=a', '--field', 'region=b']);
    await json(['sources', 'create', 'reader.mjs', '--name', 'uses', '--account', 'shop=used']);
    const refused = await tributary(['accounts', 'delete', 'used']);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('uses');
    const deleted = await json<object>(['accounts', 'delete', 'used', '--force']);
    expect(deleted).toMatchObject({ deleted: true });
  });

  test.each([
    ['a field without a value', ['add', 'shop', '--field', 'token'], 2, '--field must be NAME=VALUE.'],
    ['a field twice', ['add', 'shop', '--field', 'a=1', '--field', 'a=2'], 2, '--field names a twice.'],
    ['a file that is not there', ['add', 'shop', '--field', 'a=@none.txt'], 1, 'The file none.txt cannot be read'],
    ['an app without an OAuth client', ['connect', 'shop'], 1, 'admin oauth-clients add --app shop'],
    ['nothing to change', ['update', 'work'], 2, 'Name what to change: --name, --field or --unset.'],
  ])('end with a sentence for %s', async (_, argv, code, sentence) => {
    const result = await tributary(['accounts', ...argv]);
    expect({ code: result.code, out: result.out }).toEqual({ code, out: '' });
    expect(result.error).toContain(sentence);
  });
});

describe('a new source whose component reads an account', () => {
  const create = (...more: string[]) => ['sources', 'create', 'reader.mjs', '--name', 'asks', ...more];

  test('is refused without one, with the mend, and nothing is made', async () => {
    const { code, out, error } = await tributary(create());
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain('shop needs an account: tributary accounts connect shop. Then add --account shop=NAME.');
    expect((await tributary(['sources', 'get', 'asks'])).code).toBe(1);
  });

  test('asks for it on a terminal', async () => {
    const { id } = await json(['accounts', 'add', 'shop', '--name', 'newest', '--field', 'token=t']);
    const command = startCommand(create(), { env, cwd: folder, columns: 100, isTyping: true });
    await until('the question', () => command.error().includes('shop needs an account:'));
    command.write('\r');
    expect(await command.ended).toMatchObject({ code: 0 });
    const source = await json<{ configured_props: object }>(['sources', 'get', 'asks']);
    expect(source.configured_props).toEqual({ shop: { authProvisionId: id } });
  });

  test('needs none where its app prop is optional, or nothing of it is read', async () => {
    writeFileSync(join(folder, 'optional.mjs'), READER.replace("app: 'shop'", "app: 'shop', optional: true"));
    writeFileSync(join(folder, 'unread.mjs'), READER.replace(/  run\(\)[^]*?\n  },/, '  run() {},'));
    for (const file of ['optional.mjs', 'unread.mjs'])
      expect((await tributary(['sources', 'create', file])).code).toBe(0);
  });
});

describe('an app that has one address for all events', () => {
  const hook = (app: string, run: string) => `const app = { type: 'app', app: '${app}' };
export default { name: 'Of ${app}', version: '0.0.1', props: { app, hook: { type: '$.interface.apphook', appProp: 'app' } }, ${run} };
`;
  /** Its warnings, of the secret that no account has, are printed beside it. */
  const made = async (...argv: string[]) =>
    JSON.parse((await tributary(['sources', 'create', ...argv, '--json'])).out) as { id: string };
  const listeners = async () =>
    (await json<object[]>(['subscriptions', 'list'])) as { emitter_id: string; listener_id: string }[];

  test('is offered: a new source listens to the one that has the address', async () => {
    writeFileSync(join(folder, 'relay.mjs'), hook('slack', ''));
    writeFileSync(join(folder, 'messages.mjs'), hook('slack_v2', 'run(event) { this.$emit(event); }'));
    writeFileSync(join(folder, 'meetings.mjs'), hook('zoom', ''));
    await made('meetings.mjs');
    const relay = await made('relay.mjs', '--name', 'the relay');

    const told = await tributary(['sources', 'create', 'messages.mjs', '--name', 'own']);
    expect(told.error).toContain(
      'Slack has one address per app. If another source has it, listen to that one: --listen-to the-relay',
    );
    expect(await listeners()).toEqual([]);

    const listener = await made('messages.mjs', '--listen-to', 'the-relay');
    expect(await listeners()).toMatchObject([{ emitter_id: relay.id, listener_id: listener.id }]);

    const argv = ['sources', 'create', 'messages.mjs', '--name', 'chosen'];
    const command = startCommand(argv, { env, cwd: folder, columns: 100, isTyping: true });
    await until('the question', () => command.error().includes('Where do the events come from?'));
    expect(command.error()).not.toContain('zoom');
    // The sources are newest first: own address, the listener, own, the relay.
    command.write('\u001B[A\r');
    expect(await command.ended).toMatchObject({ code: 0 });
    const chosen = await json(['sources', 'get', 'chosen']);
    expect(await listeners()).toContainEqual(expect.objectContaining({ emitter_id: relay.id, listener_id: chosen.id }));
  });

  test('a source that does not exist is refused before anything is made', async () => {
    const { code, error } = await tributary([
      'sources',
      'create',
      'messages.mjs',
      '--name',
      'lost',
      '--listen-to',
      'none',
    ]);
    expect(code).toBe(1);
    expect(error).toContain('There is no source none.');
    expect((await tributary(['sources', 'get', 'lost'])).code).toBe(1);
  });
});

describe('a sign-in', () => {
  let provider: AuthorizationServer;
  beforeAll(async () => {
    provider = await AuthorizationServer.start();
    await registerTestClient(scene.cloud, { settings: { ...provider.settings, scopes: ['read'] } });
  });
  afterAll(() => provider.stop());

  /** Starts the command and opens the address that it prints. */
  async function opened(argv: readonly string[]) {
    const command = startCommand(['accounts', ...argv], { env, cwd: folder });
    const address = await until('the address', () => /^http\S+/m.exec(command.error())?.[0]);
    const browser = new BrowserClient();
    const location = (await browser.get(address)).location;
    return { command, browser, back: provider.consent(location) };
  }

  test('prints its address, waits for the browser, and names the account', async () => {
    const { command, browser, back } = await opened(['connect', 'acme', '--name', 'signed-in']);
    await browser.submit(await browser.get(back));
    const { code, out } = await command.ended;
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Connected apn_\w+\./) });
    expect(await json(['accounts', 'get', 'signed-in'])).toMatchObject({ app: 'acme', kind: 'oauth' });
    const again = await opened(['reconnect', 'signed-in']);
    await again.browser.submit(await again.browser.get(again.back));
    expect((await again.command.ended).code).toBe(0);
  });

  test('that its provider no longer accepts is in the status, with its reason and the command', async () => {
    expect(await json<object[]>(['status'])).toEqual([]);
    const [{ id } = expect.fail('no account')] = await json<{ id: string }[]>(['accounts', 'list', '--app', 'acme']);
    const accounts = accountStore(tableOf(scene.cloud));
    const account = (await accounts.find(AccountId.parse(id))) ?? expect.fail('no account');
    const { oauth = expect.fail('no grant') } = account;
    await accounts.change(account, { oauth: endedGrant(oauth, 'It was revoked.') });
    expect(await json<object[]>(['status'])).toEqual([
      {
        kind: 'account',
        id,
        name: 'signed-in',
        problem: 'needs_reconnect: It was revoked.',
        next: `tributary accounts reconnect ${id}`,
      },
    ]);
    expect((await tributary(['status', '-q'])).out).toBe(`${id}\n`);
  });

  test('that is refused ends with 1 and the reason', async () => {
    const { command, browser, back } = await opened(['connect', 'acme']);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    await browser.get(back);
    const { code, error } = await command.ended;
    expect(code).toBe(1);
    expect(error).toContain('The account was not connected.');
  });

  test('of an app that takes no fields: add names the command', async () => {
    const { code, error } = await tributary(['accounts', 'add', 'acme']);
    expect(code).toBe(2);
    expect(error).toContain('tributary accounts connect acme');
  });
});

test('an import names the commands that connect the accounts it lacks, once per app', async () => {
  await json(['accounts', 'add', 'shop', '--name', 'exported', '--field', 'token=a', '--field', 'region=b']);
  for (const name of ['one', 'two'])
    await json(['sources', 'create', 'reader.mjs', '--name', `needs-${name}`, '--account', 'shop=exported']);
  const { out } = await tributary(['export']);
  writeFileSync(join(folder, 'export.json'), out);
  const another = await Scene.open();
  try {
    const { code, error } = await runCommand(['import', 'export.json'], {
      env: { ...env, TRIBUTARY_URL: another.cloud.origin, TRIBUTARY_API_KEY: another.cloud.key },
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(error.match(/tributary accounts add shop/g)).toHaveLength(1);
    expect(error).not.toContain(SECRET);
  } finally {
    await another.close();
  }
});
