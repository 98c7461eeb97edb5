import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { VERSION } from '../../../shared/domain/version.ts';
import { runCommand, startCommand } from '../../support/command.ts';
import { gate } from '../../support/gate.ts';
import { Receiver } from '../../support/receiver.ts';
import { Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-commands-'));
let scene: Scene;
let env: Record<string, string>;

const PROPS = `export default {
  name: 'Props', key: 'props', version: '0.0.1',
  props: {
    count: { type: 'integer', label: 'Count' },
    tags: 'string[]',
    on: { type: 'boolean', optional: true },
    note: { type: 'string', optional: true },
    timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } },
  },
  run(event) {
    console.log('ran', this.count);
    if (event.fail) throw new Error('boom');
    this.$emit({ count: this.count, tags: this.tags, from: event.from });
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
  writeFileSync(join(folder, 'props.mjs'), PROPS);
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const tributary = (...argv: string[]) => runCommand(argv, { env, cwd: folder });

/** The JSON of a command that succeeds. */
async function json<T = Record<string, unknown>>(...argv: string[]): Promise<T> {
  const { code, out, error } = await tributary(...argv, '--json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out) as T;
}

let made = 0;
/** A source with all props that need a value; its slug. */
async function aSource(): Promise<string> {
  const name = `props-${(made += 1)}`;
  await json('sources', 'create', 'props.mjs', '--name', name, '--prop', 'count=1', '--prop', 'tags=a');
  return name;
}

describe('wrong use', () => {
  test.each([
    ['an unknown command', ['sorces'], "Unknown command 'sorces'. Did you mean sources?"],
    ['an unknown subcommand', ['sources', 'lst'], "Unknown command 'lst'. Did you mean list?"],
    ['an unknown option', ['sources', 'list', '--jsn'], "Unknown option '--jsn'. Did you mean --json?"],
    ['a missing argument', ['sources', 'get'], 'The argument source is missing: tributary sources get <source>.'],
    [
      'a group without a command',
      ['new'],
      'A command is missing after tributary new: poller, webhook, cron, listener, relay, test.',
    ],
    ['a number that is none', ['events', 'x', '-n', 'ten'], '-n (--limit) must be a whole number, 1 or more.'],
  ])('%s: exit 2 and one sentence', async (_, argv, sentence) => {
    expect(await tributary(...argv)).toEqual({ code: 2, out: '', error: `${sentence}\n` });
  });

  test('with --json the error is an object on stderr and stdout is empty', async () => {
    const { code, out, error } = await tributary('sources', 'get', 'dc_unknown', '--json');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(error)).toMatchObject({ code: 'not_found', request_id: expect.any(String) as string });
  });
});

test('alone it prints the help, and --version its version', async () => {
  const { code, out } = await tributary();
  expect(code).toBe(0);
  expect(out).toContain('Usage: tributary');
  expect(await tributary('--version')).toEqual({ code: 0, out: `${VERSION}\n`, error: '' });
});

describe('where it talks to', () => {
  test('a key and an address: exit 2 without', async () => {
    const without = await runCommand(['whoami'], { cwd: folder, env: { XDG_CONFIG_HOME: folder } });
    expect(without).toMatchObject({ code: 2, out: '' });
    const keyless = await runCommand(['whoami', '--url', 'http://127.0.0.1:9'], { cwd: folder });
    expect(keyless.code).toBe(2);
    expect(keyless.error).toContain('No key is set for http://127.0.0.1:9/v1');
  });

  test('no connection, and another program there: exit 3', async () => {
    const nobody = await tributary('whoami', '--url', 'http://127.0.0.1:9');
    expect(nobody).toMatchObject({ code: 3, out: '' });
    const other = await Receiver.start();
    onTestFinished(() => other.stop());
    expect(await tributary('whoami', '--url', new URL(other.url).origin)).toMatchObject({
      code: 3,
      error: expect.stringContaining('no Tributary is there') as string,
    });
  });

  test('login keeps a key that works, in a file for its user only; --profile finds it again', async () => {
    const { origin, key } = scene.cloud;
    const config = { XDG_CONFIG_HOME: join(folder, 'login') };
    const login = (input: string) =>
      runCommand(['login', '--url', `${origin}/v1/`, '--profile', 'test'], { env: config, input });
    expect(await login('wrong\n')).toMatchObject({ code: 1, out: '' });
    expect(await login(`${key}\n`)).toMatchObject({ code: 0 });
    const file = join(folder, 'login/tributary/profiles.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ test: { url: `${origin}/v1`, key } });
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);

    const who = await runCommand(['whoami', '--profile', 'test'], { env: config });
    expect(who.out).toContain('the profile test');
    expect(who.out).not.toContain(key);
    const typo = await runCommand(['whoami', '--profile', 'tset'], { env: config });
    expect(typo).toEqual({ code: 1, out: '', error: 'There is no profile tset. Did you mean test?\n' });

    expect((await runCommand(['profiles', '-q'], { env: config })).out).toBe('test\n');
    await runCommand(['logout', '--profile', 'test'], { env: config });
    expect((await runCommand(['profiles', '--json'], { env: config })).out).toBe('[]\n');
  });

  test("whoami shows the user and the address, and no key; --json prints all that the answer's data holds", async () => {
    const { key, base } = scene.cloud;
    const { out } = await tributary('whoami');
    expect(out).toContain(base);
    expect(out).not.toContain(key);
    const { data } = (await scene.api.get('/users/me')).body;
    expect(data.api_key).toBe(key);
    expect(await json('whoami')).toEqual({ ...data, url: base, from: 'the environment' });
  });

  test('two logins at once are both kept', async () => {
    const { origin, key } = scene.cloud;
    const config = { XDG_CONFIG_HOME: join(folder, 'both') };
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(
      names.map((name) => runCommand(['login', '--url', origin, '--profile', name], { env: config, input: key })),
    );
    const { out } = await runCommand(['profiles', '-q'], { env: config });
    expect(out.split('\n').filter(Boolean).sort()).toEqual(names);
  });

  test('a key that no header can have is refused without being shown', async () => {
    const key = `${scene.cloud.key}\nx`;
    const { code, out, error } = await runCommand(['whoami', '--key', key], { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).not.toContain(scene.cloud.key);
  });

  test('--debug prints requests and never the key', async () => {
    const { error, out } = await tributary('whoami', '--debug');
    expect(error).toContain('> GET ');
    expect(error + out).not.toContain(scene.cloud.key);
  });

  test('requests go through HTTPS_PROXY', async () => {
    const { createServer } = await import('node:http');
    const connects: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url }, socket) => {
      connects.push(String(url));
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as { port: number };
    const through = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
    const argv = ['whoami', '--url', 'https://tributary.example', '--key', 'k'];
    expect((await runCommand(argv, { env: through })).code).toBe(3);
    expect(connects).toEqual(['tributary.example:443']);
  });
});

describe('sources', () => {
  test('props that need a value are named before anything is made', async () => {
    const before = await json<unknown[]>('sources', 'list');
    const { code, error } = await tributary('sources', 'create', 'props.mjs', '--prop', 'tags=a');
    expect({ code, error }).toEqual({ code: 2, error: 'Props needs the prop count: add --prop count=….\n' });
    expect(await json('sources', 'list')).toEqual(before);
  });

  test('a prop that the component lacks gets a suggestion', async () => {
    const { code, error } = await tributary('sources', 'create', 'props.mjs', '--prop', 'cuont=1');
    expect(code).toBe(2);
    expect(error).toContain('Did you mean count?');
  });

  test('values are read by the declared types', async () => {
    writeFileSync(join(folder, 'note.txt'), 'from a file');
    const props = ['count=7', 'tags=a', 'tags=b', 'on=true', 'note=@note.txt', 'timer=0 6 * * *'];
    const { configured_props: values, id } = await json<{ configured_props: object; id: string }>(
      'sources',
      'create',
      'props.mjs',
      ...props.flatMap((line) => ['--prop', line]),
    );
    expect(values).toMatchObject({
      count: 7,
      tags: ['a', 'b'],
      on: true,
      note: 'from a file',
      timer: { cron: '0 6 * * *' },
    });
    const updated = await json<{ configured_props: object }>(
      'sources',
      'update',
      id,
      '--prop',
      'count=8',
      '--unset',
      'note',
      '--prop-json',
      'tags=["c"]',
    );
    expect(updated.configured_props).toMatchObject({ count: 8, tags: ['c'] });
    expect(updated.configured_props).not.toHaveProperty('note');
  });

  test('they are found by slug, then by name; ambiguous names are exit 2 and list what is meant', async () => {
    const make = (name: string) =>
      json<{ id: string; name_slug: string }>(
        'sources',
        'create',
        'props.mjs',
        '--name',
        name,
        '--prop',
        'count=1',
        '--prop',
        'tags=a',
      );
    const [first, second] = [await make('Twin name'), await make('Twin name')];
    expect(await json('sources', 'get', first.name_slug)).toMatchObject({ id: first.id });
    const { code, error, out } = await tributary('sources', 'get', 'Twin name');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    for (const { id, name_slug: slug } of [first, second]) expect(error).toContain(`${id}  Twin name  ${slug}`);
    expect(await tributary('sources', 'get', 'twin-nam')).toMatchObject({
      code: 1,
      error: 'There is no source twin-nam. Did you mean twin-name?\n',
    });
  });

  test('run prints what that run emitted and logged; its error is exit 1', async () => {
    const source = await aSource();
    const { code, out } = await tributary('sources', 'run', source, '--data', '{"from":"test"}');
    expect(code).toBe(0);
    expect(out).toMatch(/^Run api-\w+\n/);
    expect(out).toContain('log    ran 1');
    expect(out).toContain('"from":"test"');
    expect(out).toMatch(/\ndone in \d+ ms, 1 event\n$/);
    const failed = await tributary('sources', 'run', source, '--data', '{"fail":true}');
    expect(failed).toMatchObject({ code: 1, error: 'The run failed: boom\n' });
    expect(failed.out).not.toContain('"from":"test"');
    expect(failed.out).toMatch(/\nfailed in \d+ ms, 0 events\n$/);
    expect(failed.out, 'one block').toMatch(/ {2}\S+\.mjs:12: Error: boom\n\s+at /);
    expect(failed.out).not.toMatch(/ {2}error {2}boom/);
    const unwaited = await json('sources', 'run', source, '--no-wait');
    expect(unwaited).toEqual({ id: expect.stringMatching(/^api-/) as string });
  });

  test('a terminal shows the way to the first event of a new source', async () => {
    const onTerminal = (...argv: string[]) => runCommand(argv, { env, cwd: folder, columns: 120 });
    const props = (list: string) => `export default { name: 'First', props: { ${list} }, run() {} };`;
    writeFileSync(join(folder, 'first-request.mjs'), props(`http: '$.interface.http'`));
    writeFileSync(join(folder, 'first-tick.mjs'), props(`timer: '$.interface.timer'`));
    const requested = await onTerminal('sources', 'create', 'first-request.mjs', '--name', 'requested');
    expect(requested.error).toMatch(
      /^Send it a request: curl http:\S+ -H 'Content-Type: application\/json' -d '.*'\n.* tributary events requested\n$/,
    );
    const ticked = await onTerminal('sources', 'create', 'first-tick.mjs', '--name', 'ticked');
    expect(ticked.error).toBe('Run it now: tributary sources run ticked\n');
    const disabled = ['first-tick.mjs', '--name', 'off', '--disabled'];
    expect((await onTerminal('sources', 'create', ...disabled)).error).toBe('');
    expect((await onTerminal('events', 'ticked')).error).toMatch(/^No events\. With -f /);
    expect(await tributary('events', 'ticked')).toMatchObject({ error: '' });
  });

  test('runs at the same time each show their own logs and errors', async () => {
    const source = await aSource();
    const run = (data: object) => tributary('sources', 'run', source, '--data', JSON.stringify(data));
    const [failed, ...fine] = await Promise.all([run({ fail: true }), run({ from: 1 }), run({ from: 2 })]);
    expect([failed.code, ...fine.map(({ code }) => code)]).toEqual([1, 0, 0]);
    for (const { out } of [failed, ...fine]) expect(out.match(/ran 1/g)).toHaveLength(1);
  });

  test('run waits for its own run, however many others end meanwhile', async () => {
    const { opened, open } = gate();
    const receiver = await Receiver.start();
    onTestFinished(() => receiver.stop());
    receiver.respond = () => ({ status: 200, after: opened });
    const code = (name: string, body = '') =>
      `export default { name: '${name}', version: '0.0.1', async run() { ${body} } };`;
    const slowly = `await fetch('${receiver.url}'); this.$emit({ slow: 1 }, { name: 'own' });`;
    writeFileSync(join(folder, 'slow.mjs'), code('Slow', slowly));
    writeFileSync(join(folder, 'silent.mjs'), code('Silent'));
    await json('sources', 'create', 'slow.mjs');
    await json('sources', 'create', 'silent.mjs');
    const slow = json('sources', 'run', 'slow');
    const { at } = await until('the slow run has started', () => receiver.received[0]);
    const silent = await json('sources', 'run', 'silent');
    expect(silent).toMatchObject({ state: 'done', emitted: 0, emits: [], logs: [], errors: [], error: null });
    const heldMs = Date.now() - at;
    open();
    const run = (await slow) as { state: string; ms: number; emitted: number };
    expect(run).toMatchObject({ state: 'done', emitted: 1, emits: [] });
    // Both times are in whole ms.
    expect(run.ms).toBeGreaterThanOrEqual(heldMs - 2);
    expect((await tributary('sources', 'run', 'slow')).out).toMatch(/, 1 event, 1 of them on other streams\n$/);
  });

  test('disable and enable switch, and new code leaves a disabled source off', async () => {
    const source = await aSource();
    expect(await json('sources', 'disable', source)).toMatchObject({ active: false });
    writeFileSync(join(folder, 'other.mjs'), PROPS.replace("'ran'", "'other'"));
    expect(await json('sources', 'update', source, 'other.mjs')).toMatchObject({ active: false });
    expect(await json('sources', 'enable', source)).toMatchObject({ active: true });
    expect((await tributary('sources', 'code', source)).out).toContain("'other'");
  });

  test('reset-dedupe lets a source emit an id again', async () => {
    const source = await aSource();
    expect(await json('sources', 'reset-dedupe', source)).toMatchObject({ reset: true });
    expect((await tributary('sources', 'reset-dedupe', source)).out).toBe(`The dedupe of ${source} begins anew.\n`);
    expect(await tributary('sources', 'reset-dedupe', 'nobody')).toMatchObject({ code: 1 });
  });

  test('list and get tell what waits, and drop-waiting has it dropped', async () => {
    const source = await aSource();
    const { id } = await json<{ id: string }>('sources', 'get', source);
    expect((await tributary('sources', 'list')).out).toContain('WAITING');
    expect((await tributary('sources', 'get', id)).out).toMatch(/WAITING\W+0\b/);
    expect(await json('sources', 'drop-waiting', source, '--yes')).toEqual({ id, deleted: true });
    expect((await tributary('sources', 'drop-waiting', 'nothing', '--yes')).code).toBe(1);
  });

  test('get shows no secret prop; --json, for programs, does', async () => {
    const code = `export default { name: 'Secretive', version: '0.0.1', props: { token: { type: 'string', secret: true }, url: 'string' }, run() {} };`;
    const body = { component_code: code, configured_props: { token: 'hunter2', url: 'https://a.example' } };
    const { id } = (await scene.api.post('/sources', body)).body.data as { id: string };
    for (const argv of [
      ['get', id],
      ['disable', id],
      ['update', id, '--name', 'other'],
    ]) {
      const { out } = await tributary('sources', ...argv);
      expect(out).toContain('https://a.example');
      expect(out).not.toContain('hunter2');
    }
    expect(await json('sources', 'get', id)).toMatchObject({ configured_props: { token: 'hunter2' } });
  });

  test('delete prints the id and that it is gone', async () => {
    const { id } = await json<{ id: string }>('sources', 'get', await aSource());
    expect(await json('sources', 'delete', id, '--yes')).toEqual({ id, deleted: true });
    expect((await tributary('sources', 'get', id)).code).toBe(1);
  });
});

describe('output', () => {
  test('not on a terminal columns are separated by tabs and nothing is cut; -q prints ids', async () => {
    const source = await aSource();
    const { id } = await json<{ id: string }>('sources', 'get', source);
    const { out } = await tributary('sources', 'list');
    const rows = out
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t'));
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    expect(rows.find(([cell]) => cell === id)?.[1]).toBe(source);
    expect((await tributary('sources', 'list', '-q', '-n', '1')).out).toBe(`${id}\n`);
  });

  test('the list of sources shows when a source failed last, for example by a prop that is no address', async () => {
    const code = `export default { name: 'Feed', version: '1.0.0', props: { url: 'string' }, run() { return fetch(this.url); } };`;
    const { body } = await scene.api.post('/sources', {
      component_code: code,
      configured_props: { url: 'no address' },
    });
    const { code: exitCode, out: run } = await tributary('sources', 'run', body.data.id);
    expect(exitCode).toBe(1);
    expect(run).toContain('no address');
    const at = await until('the time of the error', async () => {
      const lines = (await tributary('sources', 'list')).out.split('\n').map((line) => line.split('\t'));
      const [headings = [], ...rows] = lines;
      return rows.find(([id]) => id === body.data.id)?.[headings.indexOf('LAST ERROR')] || undefined;
    });
    expect(at).toMatch(/\d\d:\d\d:\d\d$/);
    const works = await aSource();
    const failed = await json<{ id: string; name: string }[]>('sources', 'list', '--failed-since', '1h');
    expect(failed.some(({ id }) => id === body.data.id)).toBe(true);
    expect(failed.some(({ name }) => name === works)).toBe(false);
    expect((await tributary('sources', 'list', '--failed-since', 'soon')).error).toContain(
      '--failed-since must be a time such as 2h',
    );
  });

  test('a table fits the terminal, and colour needs a terminal without NO_COLOR', async () => {
    await aSource();
    const options = { env, cwd: folder, columns: 70 };
    const { out } = await runCommand(['sources', 'list'], options);
    // oxlint-disable-next-line no-control-regex
    expect(out).toMatch(/\u001b\[1m/);
    const plain = await runCommand(['sources', 'list'], { ...options, env: { ...env, NO_COLOR: '1' } });
    expect(plain.out).not.toContain('\u001b');
    for (const line of plain.out.split('\n')) expect(line.length).toBeLessThanOrEqual(70);
  });

  test('text of users cannot steer the terminal', async () => {
    const name = 'red \u001b[31m name';
    const body = { component_code: PROPS, name, configured_props: { count: 1, tags: [] } };
    expect((await scene.api.post('/sources', body)).status).toBe(200);
    expect((await tributary('sources', 'list')).out).not.toContain('\u001b');
  });
});

describe('events', () => {
  test('come oldest first, and -f goes on with new ones until Ctrl-C, which is exit 0', async () => {
    const source = await aSource();
    const emit = (from: number) => tributary('sources', 'run', source, '--data', `{"from":${from}}`, '-q');
    await emit(1);
    await emit(2);
    const last = await json<{ event: { from: number } }[]>('events', source);
    expect(last.map(({ event }) => event.from)).toEqual([1, 2]);

    const following = startCommand(['events', source, '-f', '-n', '1', '--json'], { env, cwd: folder });
    await following.line((line) => line.includes('"from":2'));
    await emit(3);
    await following.line((line) => line.includes('"from":3'));
    following.interrupt();
    const { code, out } = await following.ended;
    expect(code).toBe(0);
    const froms = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: { from: number } }).event.from);
    expect(froms).toEqual([2, 3]);
  });

  test('without a source those of every source are shown with its slug', async () => {
    const [a, b] = [await aSource(), await aSource()];
    for (const source of [a, b]) await tributary('sources', 'run', source, '--data', `{"from":"${source}"}`);
    const { out } = await tributary('events', '-n', '100');
    for (const source of [a, b]) expect(out).toMatch(new RegExp(`\t${source}\t.*"from":"${source}"`));
  });

  test('--search looks in whole events of every source, ignoring case, and shows what it finds only', async () => {
    const code = `export default { name: 'Pass', version: '0.0.1', run(event) { this.$emit(event, { summary: event.summary }); } };`;
    const run = async (slug: string, event: object) =>
      expect(await tributary('sources', 'run', slug, '--data', JSON.stringify(event))).toMatchObject({ code: 0 });
    const [a, b] = [await scene.source(code, { name: 'Searched A' }), await scene.source(code, { name: 'Searched B' })];
    await run('searched-a', { long: `${'x'.repeat(3_000)} Ada@Example.com` });
    for (let n = 0; n < 12; n += 1) await run('searched-a', { n });
    await run('searched-b', { summary: 'of ADA@example.com' });
    const found = await json<{ metadata: { emitter_id: string } }[]>('events', '--search', 'ada@example.COM');
    expect(found.map(({ metadata }) => metadata.emitter_id)).toEqual([a.id, b.id]);
    expect(await json('events', 'searched-a', '--search', 'ada@', '-n', '1')).toHaveLength(1);
    // Twelve newer events of its source do not match.
    expect(await json('events', '--search', 'x ada@example', '-n', '1')).toHaveLength(1);
    expect(await json('events', '--search', 'nowhere')).toEqual([]);
    expect(await tributary('events', '--search', '')).toMatchObject({ code: 2, out: '' });

    const following = startCommand(['events', 'searched-b', '-f', '--search', 'ada@', '--json'], { env, cwd: folder });
    await following.line((line) => line.includes('of ADA'));
    await run('searched-b', { n: 1 });
    await run('searched-b', { to: 'ada@example.com' });
    await following.line((line) => line.includes('"to"'));
    following.interrupt();
    expect((await following.ended).out.trim().split('\n')).toHaveLength(2);
  });

  test('a follow shows every event or says how many were missed, and ends with exit 1 when its source is deleted', async () => {
    const many = `export default { name: 'Many', version: '0.0.1', run() { for (let n = 0; n < 250; n += 1) this.$emit({ n }); } };`;
    const { id } = await scene.source(many);
    const first = `export default { name: 'Many', version: '0.0.1', run() { this.$emit({ n: -1 }); } };`;
    await scene.api.put(`/sources/${id}`, { component_code: first });
    await tributary('sources', 'run', id);
    await scene.api.put(`/sources/${id}`, { component_code: many });
    const following = startCommand(['events', id, '-f', '--json'], { env, cwd: folder });
    await following.line((line) => line.includes('-1'));
    await tributary('sources', 'run', id, '--no-wait');
    await following.line((line) => line.includes('"n":249'));
    await scene.api.delete(`/sources/${id}`);
    const { code, out, error } = await following.ended;
    expect(code).toBe(1);
    const shown = out.trim().split('\n').length;
    const missed = [...error.matchAll(/(\d+) events were missed\./g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(shown + missed, error).toBe(251);
  });

  test('logs and errors are text with the time, and errors name the own line of the component', async () => {
    const source = await aSource();
    await tributary('sources', 'run', source, '--data', '{"fail":true}');
    expect((await tributary('logs', source)).out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}log {4}ran 1$/m);
    expect((await tributary('errors', source)).out).toMatch(/Error: boom\n\s+at .*\.mjs:12/);
  });

  test('one event, a range or all of them are deleted', async () => {
    const source = await aSource();
    await tributary('sources', 'run', source);
    const [event] = await json<{ id: string }[]>('events', source);
    expect((await tributary('events', 'delete', source, '--stream', 'other', '--yes')).out).toBe(
      `Deleted all events of ${source}.\n`,
    );
    expect(await json('events', 'delete', source, event?.id ?? '', '--yes')).toEqual({
      id: event?.id,
      deleted: true,
    });
    await expect.poll(() => json('events', source)).toEqual([]);
  });

  test.each([
    [['--start='], '--start is empty'],
    [['--start=', '--end='], '--start is empty'],
    [['1-0', '--end='], '--end is empty'],
    [[''], 'event is empty'],
  ])('an unset variable deletes no event: events delete %j', async (words, problem) => {
    const { code, error } = await tributary('events', 'delete', 'orders', ...words, '--yes');
    expect([code, error]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('webhooks and subscriptions', () => {
  test('a webhook shows its secret when it is made, and nowhere else', async () => {
    const made = await json<{ id: string; secret: string }>(
      'webhooks',
      'create',
      'http://127.0.0.1:9/a',
      '--name',
      'shop',
    );
    expect(made.secret).toMatch(/^whsec_/);
    for (const argv of [['get', 'shop'], ['list'], ['get', 'http://127.0.0.1:9/a']])
      expect((await tributary('webhooks', ...argv, '--json')).out).not.toContain(made.secret);
    expect(
      await json('webhooks', 'update', 'shop', 'http://127.0.0.1:9/b', '--description', 'B', '--rate-limit', '5'),
    ).toMatchObject({
      url: 'http://127.0.0.1:9/b',
      description: 'B',
      rate_limit: 5,
    });
    expect(await json('webhooks', 'update', 'shop', '--description', '', '--rate-limit', '')).toMatchObject({
      description: null,
      rate_limit: null,
    });
    expect(await json('webhooks', 'delete', 'shop', '--yes')).toEqual({ id: made.id, deleted: true });
  });

  test('webhooks are listed by their health', async () => {
    const { id } = await json<{ id: string }>('webhooks', 'create', 'http://127.0.0.1:9/rests');
    await tributary('webhooks', 'disable', id);
    expect((await tributary('webhooks', 'list', '--health', 'off,disabled', '-q')).out).toBe(`${id}\n`);
    expect(await tributary('webhooks', 'list', '--health', 'broken')).toMatchObject({
      code: 1,
      error: expect.stringContaining('must be one or more of off, failing, slow') as string,
    });
    await tributary('webhooks', 'delete', id, '--yes');
  });

  test('a webhook without a name is never suggested', async () => {
    const { id } = await json<{ id: string }>('webhooks', 'create', 'http://127.0.0.1:9/nameless');
    expect((await tributary('webhooks', 'get', 'w')).error).toBe('There is no webhook w.\n');
    await json('webhooks', 'delete', id, '--yes');
  });

  test('subscriptions are made between names and globs, listed and deleted', async () => {
    const source = await aSource();
    const { id: hook } = await json<{ id: string }>('webhooks', 'create', 'http://127.0.0.1:9/c', '--name', 'listener');
    const { id } = await json<{ id: string }>('subscriptions', 'create', source, 'listener', '--stream', '$errors');
    expect(await json('subscriptions', 'list')).toEqual([
      expect.objectContaining({ id, listener_id: hook, event_name: '$errors' }),
    ]);
    expect(await json('subscriptions', 'create', 'dc_*', hook)).toMatchObject({ emitter_id: 'dc_*' });
    expect(await json('subscriptions', 'delete', source, 'listener', '--stream', '$errors', '--yes')).toEqual({
      id,
      deleted: true,
    });
    expect((await tributary('subscriptions', 'delete', source, 'listener', '--yes')).code).toBe(1);

    const auto = await json<{ id: string }>('auto-subscriptions', 'create', '$errors', 'listener');
    expect(await json('auto-subscriptions', 'list')).toHaveLength(1);
    expect(await json('auto-subscriptions', 'delete', '$errors', 'listener', '--yes')).toEqual({
      id: auto.id,
      deleted: true,
    });
  });
});

test('components are made from files and addresses and found by key', async () => {
  const made = await json<{ id: string; key: string }>('components', 'create', './props.mjs');
  expect(await json('components', 'get', 'props')).toMatchObject({ id: made.id });
  expect((await tributary('components', 'code', 'props')).out).toBe(PROPS);
  expect(await json('sources', 'create', 'props', '--prop', 'count=1', '--prop', 'tags=a')).toMatchObject({
    component_id: made.id,
  });
  expect(await tributary('sources', 'create', 'prosp')).toMatchObject({ code: 1, out: '' });
  expect(await tributary('sources', 'create', 'absent.mjs')).toMatchObject({
    code: 1,
    error: expect.stringContaining('absent.mjs') as string,
  });
});

test.each(['poller', 'webhook', 'cron'])(
  'new %s writes a component that can be created, and replaces no file',
  async (kind) => {
    const file = `my-${kind}.mjs`;
    expect((await tributary('new', kind, file)).code).toBe(0);
    expect(await tributary('new', kind, file)).toMatchObject({ code: 1 });
    expect(await json('components', 'create', file)).toMatchObject({ key: `my-${kind}` });
  },
);

test('new test says what is missing where the package is not installed', async () => {
  expect(await tributary('new', 'test', 'orders.test.mjs')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Wrote orders\.test\.mjs\. It imports .* not installed here\. .*npm install .* Then run the test: node --test$/m,
    ) as string,
  });
});
