import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { Scene } from '../../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
  const { body } = await scene.api.post(
    '/webhooks',
    { headers: { a: 'b' } },
    { query: { url: 'http://127.0.0.1:9/' } },
  );
  await scene.api.put(`/webhooks/${body.data.id}`, { active: false });
  await scene.api.delete(`/webhooks/${body.data.id}`);
});
afterAll(() => scene.close());

const audit = (...argv: string[]) => runCommand(['audit', ...argv], { env: scene.env });

test('changes are listed with their author and their fields, newest first', async () => {
  const { code, out } = await audit('-n', '3');
  expect(code).toBe(0);
  const [heading, ...rows] = out.trimEnd().split('\n');
  expect(heading).toBe('TIME\tBY\tOPERATION\tIDS\tCHANGES');
  expect(rows.map((row) => row.split('\t').slice(1, 3))).toEqual([
    ['First key', 'deleteWebhook'],
    ['First key', 'updateWebhook'],
    ['First key', 'createWebhook'],
  ]);
  expect(rows[1]).toContain('active: true → false');
  expect(rows[0]).toContain('with subscriptions: 0');
  expect(rows[2]).toContain('changed: secret, headers');
  expect(rows[2]).toContain('url: "http://127.0.0.1:9"; active: true; ');
});

test('--json prints all changes that the filters choose, one object a line', async () => {
  const { out } = await audit('--json', '--by', 'First key', '--operation', 'updateWebhook', '--since', '1h');
  const entries = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(entries).toMatchObject([{ operation: 'updateWebhook', before: { active: true }, after: { active: false } }]);
  expect((await audit('--json', '--until', '1d')).out).toBe('');
});

test('a time that cannot be read is refused with a mend', async () => {
  expect(await audit('--since', 'soon')).toMatchObject({
    code: 2,
    error: expect.stringContaining('--since must be a time such as 2h') as string,
  });
});
