import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { ensureAdmin } from '../../bin/start-admin-user.ts';
import { UserId, WebhookId } from '../../shared/domain/id.ts';
import { userKey, webhookKey } from '../../shared/store/keys.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { spoil } from '../support/spoil.ts';
import { tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** One item of another shape stopped a start of the service, and the lists of its owner. */

const SECRET = 'whsec_of-another-release';

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
});
afterEach(() => scene.close());

const start = (apiKey: string | undefined) => {
  const { dispatch, outputs } = scene.cloud.cloud.open;
  return ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey });
};
const admin = () => operator(scene.cloud);
const Created = z.object({ id: UserId });

test('the service starts beside a user that cannot be read, and says so of admin itself', async () => {
  const { id } = Created.parse(await admin()('users create', { username: 'ann', email: 'a@b.c' }));
  const [first] = z
    .array(z.object({ id: UserId, username: z.string() }))
    .parse(await admin()('users list'))
    .filter(({ username }) => username === 'admin');
  await spoil(tableOf(scene.cloud), userKey(id), { plan: SECRET });
  await expect(start(undefined)).resolves.toBeUndefined();
  await spoil(tableOf(scene.cloud), userKey(first?.id ?? expect.fail()), { plan: SECRET });
  await expect(start(undefined)).rejects.toThrow(
    /^The user admin cannot be read by this release: start the release that wrote it/,
  );
});

test('a list of the API leaves out a webhook that cannot be read, and the log names it without its content', async () => {
  const url = (n: number) => ({ query: { url: `https://example.org/${n}` } });
  const made = await Promise.all([1, 2, 3].map((n) => scene.api.post('/webhooks', undefined, url(n))));
  const ids = made.map(({ body }) => WebhookId.parse(body.data.id));
  const [broken = expect.fail(), ...others] = ids.toSorted();
  await spoil(tableOf(scene.cloud), webhookKey(broken), { url: { of: SECRET } });
  const { status, body } = await scene.api.get('/users/me/webhooks');
  expect(status).toBe(200);
  expect((body.data as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(others);
  const lines = () =>
    scene.cloud.logs.map(({ text }) => text).filter((text) => text.includes('item.unreadable'));
  await until('the line of the log', () => lines().length > 0);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ level: 'error', item: broken });
  expect(lines().join()).not.toContain(SECRET);
});
