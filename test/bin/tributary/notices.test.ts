import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NOTICE_NAMES } from '../../../shared/domain/notice/notice-names.ts';
import { runCommand } from '../../support/command.ts';
import { Receiver } from '../../support/receiver.ts';
import { Scene } from '../../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const tributary = (...argv: string[]) => runCommand(['notices', ...argv], { env: scene.env });
async function added(...argv: string[]): Promise<string[]> {
  const { code, out } = await tributary('add', ...argv, '--json');
  expect(code).toBe(0);
  const list = JSON.parse(out) as { event_name: string }[];
  return list.map(({ event_name: name }) => name);
}
const webhooks = async (): Promise<{ id: string; url: string }[]> =>
  (await scene.api.get('/users/me/webhooks')).body.data;
const subscriptions = async (): Promise<{ event_name: string }[]> =>
  (await scene.api.get('/users/me/subscriptions')).body.data;

async function aWebhook(name: string) {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  const { body } = await scene.api.post('/webhooks', { url: receiver.url, name });
  onTestFinished(async () => void (await scene.api.delete(`/webhooks/${body.data.id}`)));
  return { id: body.data.id as string, receiver };
}

test('notices are added to a webhook, listed, tested and removed', async () => {
  const { id, receiver } = await aWebhook('alerts');
  expect(await added('alerts', '--kind', 'webhook.failing', '--kind', 'source.failed')).toEqual([
    'webhook.failing',
    'source.failed',
  ]);
  expect((await tributary('list')).out).toMatch(/^KIND\tLISTENER\tWHEN\n.*source\.failed\talerts\tSource failed\n/);
  expect(await tributary('test', 'alerts')).toMatchObject({ code: 0, error: '' });
  expect(receiver.bodies).toEqual([
    { id, name: 'notices', what: expect.any(String) as string, since: expect.any(String) as string },
  ]);
  receiver.respond = () => ({ status: 404 });
  expect(await tributary('test', 'alerts')).toMatchObject({ code: 1, error: expect.stringContaining('404') as string });
  expect((await tributary('remove', 'alerts', '--kind', 'source.failed')).code).toBe(0);
  expect(await subscriptions()).toMatchObject([{ listener_id: id, event_name: 'webhook.failing' }]);
  expect((await tributary('remove', 'alerts')).out).toBe('alerts gets no more notices of webhook.failing.\n');
  expect(await tributary('remove', 'alerts')).toMatchObject({ code: 1, error: 'alerts gets no such notices.\n' });
  expect((await tributary('list', '-q')).out).toBe('');
});

test('an address of Slack becomes a webhook with its format, once, and gets all notices', async () => {
  const address = `https://hooks.slack.com/services/T0/B0/${'x'.repeat(300)}`;
  for (const _ of ['the first time', 'again']) {
    expect(await added(address)).toEqual([...NOTICE_NAMES]);
    expect(await webhooks()).toMatchObject([{ url: address, name: 'Slack', format: 'slack' }]);
    expect(await subscriptions()).toHaveLength(NOTICE_NAMES.length);
  }
  const refused = await tributary('add', address, '--format', 'teams');
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('has the format slack') as string });
  expect((await tributary('remove', address)).code).toBe(0);
  const [{ id } = expect.fail()] = await webhooks();
  await scene.api.delete(`/webhooks/${id}`);
});

test('a kind that the webhook gets already keeps its filter', async () => {
  const { id } = await aWebhook('alerts');
  const emitter_id = (await scene.api.get('/users/me/notices')).body.data.id;
  const filter = { name: ['orders'] };
  await scene.api.post('/subscriptions', { emitter_id, listener_id: id, event_name: 'source.failed', filter });
  expect(await added('alerts', '--kind', 'source.failed', '--kind', 'source.errors')).toEqual([
    'source.failed',
    'source.errors',
  ]);
  expect((await subscriptions()).find(({ event_name: name }) => name === 'source.failed')).toMatchObject({ filter });
});

test('another address needs its format; a wrong kind is named', async () => {
  const { code, error } = await tributary('add', 'https://chat.example/hook');
  expect([code, error]).toEqual([2, expect.stringContaining('add --format') as string]);
  expect(await webhooks()).toEqual([]);
  await added('https://chat.example/hook', '--format', 'discord', '--kind', 'quota.reached', '--name', 'ops');
  expect(await webhooks()).toMatchObject([{ name: 'ops', format: 'discord' }]);
  const wrong = await tributary('add', 'ops', '--kind', 'webhook.fails');
  expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('must be one of webhook.failing') as string });
  await tributary('remove', 'ops');
});

test('subscriptions call the emitter notices', async () => {
  await aWebhook('told');
  const created = await runCommand(['subscriptions', 'create', 'notices', 'told', '--stream', 'source.behind'], {
    env: scene.env,
  });
  expect(created.out).toContain('EMITTER\tnotices\n');
  expect((await runCommand(['subscriptions', 'list'], { env: scene.env })).out).toContain(
    '\tnotices\ttold\tsource.behind',
  );
});
