import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { runCommand, type RunningCommand, startCommand } from '../../support/command.ts';
import { Receiver } from '../../support/receiver.ts';
import { ECHO, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-dev-'));
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const answering = (text: string, more = '') => `export default {
  name: 'Answer', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true }${more} },
  run(event) {
    console.log('path', event.path);
    if (event.path === '/throw') throw new Error('boom');
    this.http.respond({ status: 200, body: '${text}' });
    this.$emit({ path: event.path }, { summary: 'Got ' + event.path });
  },
};
`;

function write(name: string, code: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), code);
  return name;
}

interface Development {
  command: RunningCommand;
  endpoint: string;
  /** Waits for a line of a type; with `--json`. */
  event(type: string, matches?: (line: string) => boolean): Promise<Record<string, unknown>>;
}

async function develop(file: string, ...argv: string[]): Promise<Development> {
  const command = startCommand(['dev', file, '--json', ...argv], { env: scene.env, cwd: folder });
  onTestFinished(async () => {
    command.interrupt();
    await command.ended;
  });
  const event = async (type: string, matches: (line: string) => boolean = () => true) =>
    JSON.parse(await command.line((line) => line.includes(`"type":"${type}"`) && matches(line))) as Record<
      string,
      unknown
    >;
  const { endpoint_url: endpoint } = await event('ready');
  return { command, endpoint: String(endpoint), event };
}

const textOf = async (endpoint: string) => (await fetch(endpoint)).text();
const names = async () =>
  ((await scene.api.get('/users/me/sources')).body.data as { name_slug: string }[]).map(({ name_slug: slug }) => slug);

describe('dev', () => {
  test('runs a file as dev-NAME until Ctrl-C, which removes it and is exit 0', async () => {
    const command = startCommand(['dev', write('My Orders.mjs', answering('one'))], { env: scene.env, cwd: folder });
    const [ready = ''] = await until('ready', () => command.lines().length > 0 && command.lines());
    expect(ready).toMatch(/^dev-my-orders ready: http:\/\//);
    expect(await textOf(ready.replace('dev-my-orders ready: ', ''))).toBe('one');
    await command.line((line) => /^\d\d:\d\d:\d\d emit Got \/  \{"path":"\/"\}$/.test(line));
    await command.line((line) => /^\d\d:\d\d:\d\d log path \/$/.test(line));
    command.interrupt();
    const { code, out } = await command.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^dev-my-orders is removed\. Goodbye\.$/m);
    expect(await names()).not.toContain('dev-my-orders');
  });

  test('a save updates the running source, and the endpoint stays', async () => {
    const { endpoint, event } = await develop(write('saved.mjs', answering('one')));
    write('saved.mjs', answering('two'));
    expect(await event('updated')).toMatchObject({ ms: expect.any(Number) as number });
    expect(await textOf(endpoint)).toBe('two');
  });

  test('a broken save prints the place and leaves the old code running', async () => {
    const { endpoint, event } = await develop(write('broken.mjs', answering('old')));
    write('broken.mjs', 'export default {\n  name: ;\n};\n');
    expect(await event('broken')).toMatchObject({
      message: expect.stringContaining('broken.mjs:2:9') as string,
    });
    expect(await textOf(endpoint)).toBe('old');
    write('broken.mjs', answering('new', ", token: 'string'"));
    expect(await event('broken', (line) => line.includes('token'))).toMatchObject({
      code: 'invalid_request',
    });
    expect(await textOf(endpoint)).toBe('old');
    write('broken.mjs', answering('mended'));
    await event('updated');
    expect(await textOf(endpoint)).toBe('mended');
  });

  test('a save while the source is created is not lost', async () => {
    const hook = await Receiver.start();
    onTestFinished(() => hook.stop());
    const early = answering('early').replace('props:', `hooks: { deploy: () => fetch('${hook.url}') },\n  props:`);
    hook.onReceived = () => write('early.mjs', answering('late'));
    const { endpoint, event } = await develop(write('early.mjs', early));
    await event('updated');
    expect(await textOf(endpoint)).toBe('late');
  });

  test('errors name their place, and Enter runs the source once', async () => {
    const { command, endpoint, event } = await develop(write('failing.mjs', answering('x')));
    await fetch(`${endpoint}/throw`);
    expect(await event('error')).toMatchObject({ code: 'Error', message: 'boom' });
    command.write('\n');
    expect(await event('run')).toMatchObject({ trigger_id: expect.stringMatching(/^api-/) as string });
    expect(command.lines().filter((line) => line.includes('"type":"run"'))).toHaveLength(1);
  });

  test('--keep leaves the source, and the next dev takes it over', async () => {
    const file = write('kept.mjs', answering('kept'));
    const first = startCommand(['dev', file, '--keep', '--json'], { env: scene.env, cwd: folder });
    await first.line((line) => line.includes('ready'));
    first.interrupt();
    await first.ended;
    expect(await names()).toContain('dev-kept');
    await develop(file);
    expect((await names()).filter((name) => name.startsWith('dev-kept'))).toEqual(['dev-kept']);
  });

  test('a file that does not build is exit 1, and nothing is made', async () => {
    const { code, error } = await runCommand(['dev', write('never.mjs', 'export default {')], {
      env: scene.env,
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(error).toContain('never.mjs:1:17');
    expect(await names()).not.toContain('dev-never');
  });
});

describe('listen', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

  test('posts what a webhook gets, in order, signed, and prints a line for each answer', async () => {
    const { id, endpoint } = await scene.source(ECHO);
    const [mine, hook] = [await Receiver.start(), await scene.webhook()];
    onTestFinished(() => mine.stop());
    await scene.subscribe(id, hook.id);
    mine.respond = (n) => ({ status: n === 0 ? 500 : 204 });
    const command = startCommand(['listen', id, '--forward', mine.url, '--secret', SECRET], { env: scene.env });
    await command.line((line) => line.startsWith('Forwarding'));
    const events = [{ z: 1, a: 2, '1': 3 }, { big: 'x'.repeat(3_000) }, [1, 2]];
    for (const event of events) {
      await scene.send(endpoint, { event });
      await until('the webhook', () => hook.receiver.received.length === events.indexOf(event) + 1);
    }
    await until('all', () => mine.received.length === events.length);
    expect(mine.received.map(({ body }) => body)).toEqual(hook.receiver.received.map(({ body }) => body));
    for (const { body, headers } of mine.received) {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      expect(() => new Webhook(SECRET).verify(body, texts)).not.toThrow();
    }
    const [ours, theirs] = [mine.received[1]?.headers ?? {}, hook.receiver.received[1]?.headers ?? {}];
    for (const name of Object.keys(theirs)) expect(ours).toHaveProperty([name]);
    for (const name of ['webhook-id', 'x-tributary-emitter', 'x-tributary-event-id', 'content-type'])
      expect(ours[name]).toBe(theirs[name]);
    await command.line((line) => / {2}500 {2}\d+ ms$/.test(line));
    await command.line((line) => / {2}204 {2}\d+ ms$/.test(line));
    command.interrupt();
    expect((await command.ended).code).toBe(0);
    expect((await scene.api.get('/users/me/webhooks')).body.data).toHaveLength(1);
  });

  test.each([
    ['a file', { TRIBUTARY_WEBHOOK_SECRET: '' }, ['--secret', '@secret.txt']],
    ['a variable', { TRIBUTARY_WEBHOOK_SECRET: SECRET }, []],
  ])('takes the secret of %s, and does not print it', async (_, variables, argv) => {
    write('secret.txt', `${SECRET}\n`);
    const { id, endpoint } = await scene.source(ECHO);
    const mine = await Receiver.start();
    onTestFinished(() => mine.stop());
    const command = startCommand(['listen', id, '--forward', mine.url, ...argv], {
      env: { ...scene.env, ...variables },
      cwd: folder,
    });
    await command.line((line) => line.startsWith('Forwarding'));
    await scene.send(endpoint, { n: 1 });
    await until('the event', () => mine.received.length === 1);
    const [{ body, headers } = { body: '', headers: {} }] = mine.received;
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(() => new Webhook(SECRET).verify(body, texts)).not.toThrow();
    command.interrupt();
    const { out, error } = await command.ended;
    expect(out + error).not.toContain(SECRET);
  });

  test('--since posts the kept events of that time first, in order, and then new ones, none twice', async () => {
    const { id, endpoint } = await scene.source(ECHO);
    const kept = async (): Promise<{ id: string }[]> =>
      (await scene.api.get(`/sources/${id}/event_summaries`)).body.data.toReversed();
    for (const n of [1, 2, 3]) {
      await scene.send(endpoint, { n });
      await until('the event', async () => (await kept()).length === n);
    }
    const [, second] = await kept();
    const since = new Date(Number(second?.id.split('-')[0])).toISOString();
    for (const [from, expected] of [
      ['1h', [1, 2, 3, 4]],
      // The bound itself is included.
      [since, [2, 3, 4, 5]],
    ] as const) {
      const mine = await Receiver.start();
      onTestFinished(() => mine.stop());
      const command = startCommand(['listen', id, '--forward', mine.url, '--since', from], { env: scene.env });
      // A new event comes while kept ones are posted.
      await until('the first one', () => mine.received.length > 0);
      await scene.send(endpoint, { n: expected.at(-1) });
      await until('all', () => mine.received.length >= expected.length);
      await command.line((line) =>
        line.includes((mine.received.at(-1)?.headers['x-tributary-event-id'] ?? '-') + '  200'),
      );
      command.interrupt();
      await command.ended;
      expect(mine.bodies).toEqual(expected.map((n) => ({ n })));
    }
  });

  test.each(['tomorrow', '2999-01-01'])('--since %s is exit 2', async (text) => {
    const argv = ['listen', 'orders', '--forward', 'http://127.0.0.1:9/', '--since', text];
    const { code, error } = await runCommand(argv, { env: scene.env });
    expect(code).toBe(2);
    expect(error).toContain('--since must be a time');
  });

  test('a refused connection is a line and not an end; a secret of its own is printed first', async () => {
    const { id, endpoint } = await scene.source(ECHO);
    const nowhere = `http://127.0.0.1:${await freePort()}/`;
    const command = startCommand(['listen', id, '--forward', nowhere], { env: scene.env });
    await command.line((line) => line.startsWith('Forwarding'));
    expect(command.lines()[0]).toMatch(/^Signing secret: whsec_/);
    await scene.send(endpoint, { n: 1 });
    await command.line((line) => line.includes('connection refused'));
    await scene.send(endpoint, { n: 2 });
    await until('the second line', () => command.lines().filter((line) => line.includes('refused')).length === 2);
    command.interrupt();
    expect((await command.ended).code).toBe(0);
  });
});
