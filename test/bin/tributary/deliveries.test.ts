import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { runCommand, startCommand } from '../../support/command.ts';
import { NO_RETRY, Receiver } from '../../support/receiver.ts';
import { ECHO, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const FAILURE = { status: 500, headers: NO_RETRY };

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(async () => {
  await scene.close();
});

const tributary = (...argv: string[]) => runCommand(argv, { env: scene.env });
async function json<T = Record<string, unknown>>(...argv: string[]): Promise<T> {
  const { code, out, error } = await tributary(...argv, '--json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out) as T;
}

let made = 0;
/** A webhook by its name, and its receiver. */
async function aWebhook() {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  const name = `hook-${(made += 1)}`;
  const { id, secret } = await json<{ id: string; secret: string }>('webhooks', 'create', receiver.url, '--name', name);
  return { id, secret, name, receiver };
}

/** A source whose events go to a webhook. */
async function delivering() {
  const hook = await aWebhook();
  const { id, endpoint } = await scene.source(ECHO);
  await scene.subscribe(id, hook.id);
  return { ...hook, source: id, endpoint };
}

describe('webhooks', () => {
  test('test prints the outcome; one that fails is exit 1', async () => {
    const { name, receiver } = await aWebhook();
    expect(await json('webhooks', 'test', name, '--data', '{"n":7}')).toMatchObject({
      outcome: 'delivered',
      status: 200,
    });
    expect(receiver.bodies).toEqual([{ n: 7 }]);
    receiver.respond = () => ({ status: 500 });
    const { code, error } = await tributary('webhooks', 'test', name);
    expect(code).toBe(1);
    expect(error).toContain('rejected 500');
  });

  test('rotate prints the new secret, which signs', async () => {
    const { name, secret, receiver } = await aWebhook();
    const rotated = await json<{ secret: string }>('webhooks', 'rotate', name, '--revoke');
    expect(rotated.secret).not.toBe(secret);
    await json('webhooks', 'test', name);
    const { headers, body } = receiver.received[0] ?? expect.fail('nothing came');
    const texts = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]));
    expect(() => new Webhook(rotated.secret).verify(body, texts)).not.toThrow();
    const pasted = `${Object.entries(texts)
      .map(([header, value]) => `${header}: ${value}`)
      .join('\n')}\n\n${body}\n`;
    const verify = (by: string) =>
      runCommand(['webhooks', 'verify', '--secret', by], { env: scene.env, input: pasted });
    expect(await verify(rotated.secret)).toMatchObject({ code: 0, out: 'The signature is right.\n' });
    expect(await verify(secret)).toMatchObject({ code: 1, out: '' });
  });

  test('headers, the rate limit, the retries and the format are set and cleared', async () => {
    const { name, receiver } = await aWebhook();
    const options = ['--header', 'X-Team=shop', '--rate-limit', '50', '--format', 'cloudevents'];
    const set = await json('webhooks', 'update', name, ...options);
    expect(set).toMatchObject({ headers: { 'X-Team': 'shop' }, rate_limit: 50, format: 'cloudevents' });
    await json('webhooks', 'test', name, '--data', '{"n":7}');
    expect(receiver.bodies).toMatchObject([{ specversion: '1.0', data: { n: 7 } }]);
    expect(await tributary('webhooks', 'update', name, '--format', 'xml')).toMatchObject({
      code: 2,
      error: '--format must be one of event, cloudevents, slack, discord, teams.\n',
    });
    for (const [typed, retry_seconds] of [
      ['5,300', [5, 300]],
      ['none', []],
      ['default', null],
    ] as const)
      expect(await json('webhooks', 'update', name, '--retry-seconds', typed)).toMatchObject({ retry_seconds });
    const cleared = await json('webhooks', 'update', name, '--no-headers', '--rate-limit', 'none', '--format', 'event');
    expect(cleared).toMatchObject({ headers: {}, rate_limit: null, format: 'event' });
    expect(await json('webhooks', 'disable', name)).toMatchObject({ active: false });
    expect(await json('webhooks', 'enable', name)).toMatchObject({ active: true });
  });
});

describe('deliveries', () => {
  test('are listed with their status, and one can be sent again', async () => {
    const { name, receiver, endpoint } = await delivering();
    receiver.respond = (n) => (n < 2 ? FAILURE : { status: 200 });
    await scene.send(endpoint, { n: 1 });
    const [delivery] = await until('the delivery', async () => {
      const found = await json<{ id: string; status: string }[]>('deliveries', name, '--status', 'retrying');
      return found.length > 0 && found;
    });
    expect((await tributary('deliveries', name)).out).toContain('rejected 500');
    const id = delivery?.id ?? '';
    expect((await tributary('deliveries', 'get', name, id)).out).toContain('rejected 500');
    expect(await json('deliveries', name, '--since', '1h', '--outcome', 'rejected')).toMatchObject([{ id }]);
    expect(await json('deliveries', name, '--until', '1h')).toEqual([]);
    expect(await tributary('redeliver', name, id)).toMatchObject({
      code: 1,
      out: '1 sent, 0 delivered, 1 failed again\n',
      error: expect.stringContaining('rejected 500'),
    });
    expect(await json('redeliver', name, id)).toMatchObject({ status: 'delivered' });
    expect(receiver.received).toHaveLength(3);
  });

  test('a follow prints new ones and every change', async () => {
    const { name, endpoint } = await delivering();
    const following = startCommand(['deliveries', name, '-f', '--json'], { env: scene.env });
    await scene.send(endpoint, { n: 1 });
    await following.line((line) => line.includes('"delivered"'));
    following.interrupt();
    expect((await following.ended).code).toBe(0);
  });

  test('recover sends what failed again and prints its progress', async () => {
    const { name, receiver, endpoint } = await delivering();
    receiver.respond = () => FAILURE;
    await scene.send(endpoint, { n: 1 });
    await until('a failure', () => receiver.received.length > 0);
    await until('it is listed', async () => (await json<unknown[]>('deliveries', name)).length > 0);
    const failed = await tributary('webhooks', 'recover', name, '--since', '1h');
    expect(failed).toMatchObject({
      code: 1,
      error: expect.stringContaining('1 of 1 deliveries failed again'),
    });
    expect(failed.out).toMatch(/^1 sent, 0 delivered, 1 failed again$/m);
    expect((await tributary('webhooks', 'get', name)).out).toMatch(/^FAILING SINCE\t\d{4}-/m);
    const problems = await json<{ name: string }[]>('status');
    expect(problems.find((problem) => problem.name === name)).toMatchObject({
      problem: expect.stringMatching(/^failing since \d{4}-.*: rejected 500, 1 waits\.$/) as string,
      next: `tributary deliveries ${name}`,
    });
    await tributary('webhooks', 'disable', name);
    expect((await json<{ name: string }[]>('status')).map((problem) => problem.name)).not.toContain(name);
    await scene.send(endpoint, { n: 2 });
    await until(
      'both are held',
      async () => (await json<{ held_count: number }>('webhooks', 'get', name)).held_count === 2,
    );
    expect((await tributary('webhooks', 'enable', name)).error).toMatch(
      /^2 held: tributary webhooks recover wh_\w+ --since 14d sends them\.$/m,
    );
    receiver.respond = () => ({ status: 200 });
    const { code, out } = await tributary('webhooks', 'recover', name, '--since', '14d', '--json');
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toMatchObject({ status: 'done', found: 2, sent: 2, delivered: 2 });
  });

  test('recover of a webhook that fails says when the next attempt is, and leaves the rest to the service', async () => {
    const { name, receiver, endpoint } = await delivering();
    receiver.respond = () => FAILURE;
    await Promise.all(Array.from({ length: 12 }, (_, n) => scene.send(endpoint, { n })));
    await until('its deliveries are held back', async () => {
      return (await json<{ next_attempt_ms: number | null }>('webhooks', 'get', name)).next_attempt_ms !== null;
    });
    const { code, out, error } = await tributary('webhooks', 'recover', name, '--since', '1h');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^running: \d+ of \d+ sent$/m) as string });
    expect(error).toMatch(
      /^The webhook fails at the moment \(rejected 500\)\. The next attempt is at \d{4}-\S+ \S+; the job goes on when it succeeds\.$/m,
    );
  });

  test('subscriptions create takes notices as an emitter, and shows it by this name', async () => {
    const { id, name } = await aWebhook();
    const { code, out } = await tributary('subscriptions', 'create', 'notices', name, '--stream', 'webhook.failing');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^EMITTER\s+notices$/m) as string });
    const all = await json<{ listener_id: string; emitter_id: string }[]>('subscriptions', 'list');
    expect(all.find((each) => each.listener_id === id)?.emitter_id).toMatch(/^dc_notices/);
  });

  test('recover of a webhook that is off names the command that switches it on', async () => {
    const { name } = await aWebhook();
    await tributary('webhooks', 'disable', name);
    expect(await tributary('webhooks', 'recover', name, '--since', '1h')).toEqual({
      code: 1,
      out: '',
      error: `${name} is off, so nothing can be sent: \`tributary webhooks enable ${name}\` first.\n`,
    });
  });

  test('an event shows its run and its deliveries', async () => {
    const { source, endpoint, name } = await delivering();
    await scene.send(endpoint, { n: 1 });
    const [event] = await until('the event', async () => {
      const found = await json<{ id: string }[]>('events', source);
      return found.length > 0 && found;
    });
    await until('its delivery', async () =>
      (await tributary('events', 'get', source, event?.id ?? '')).out.includes(name),
    );
  });
});
