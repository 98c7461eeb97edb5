import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { Scene } from '../../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const tributary = (...argv: string[]) => runCommand(['keys', ...argv], { env: scene.env });

test('a key is created with a scope and an end, listed without its secret, rotated and deleted', async () => {
  const { code, out } = await tributary('create', 'shop', '--scope', 'send', '--expires', '90d', '--json');
  expect(code).toBe(0);
  const made = JSON.parse(out) as { id: string; api_key: string; expires_at_ms: number };
  expect(made).toMatchObject({ name: 'shop', scopes: ['send'] });
  expect(Math.abs(made.expires_at_ms - Date.now() - 90 * 86_400_000)).toBeLessThan(60_000);

  const listed = await tributary('list');
  expect(listed.out).toMatch(/^ID\tNAME\tSCOPES\tLAST USE\tEXPIRES\tCREATED\nkey_\w+\tshop\tsend\t/);
  expect(listed.out).toContain('First key (this one)\tread, send, manage, metrics\t');
  expect(listed.out).not.toContain(made.api_key);

  const rotated = JSON.parse((await tributary('rotate', 'shop', '--overlap', '1h', '--json')).out) as typeof made;
  expect(rotated.id).toBe(made.id);
  for (const key of [made.api_key, rotated.api_key])
    expect((await scene.api.as(key).get('/keys/current')).status).toBe(200);
  expect(await tributary('delete', 'shop', '--yes')).toMatchObject({ code: 0, out: `Deleted ${made.id}.\n` });
  expect((await tributary('list', '-q')).out.trim().split('\n')).toHaveLength(1);
});

test('a key is printed once, on stderr with -q', async () => {
  const { out, error } = await tributary('create', 'quiet', '--scope', 'read', '--scope', 'manage', '-q');
  expect(out).toMatch(/^key_\w+\n$/);
  expect(error).toMatch(/^Key, shown once: [\w-]{43}\n$/);
});

test('a rotation of the key in use says where the old secret has to be replaced', async () => {
  const { body } = await scene.api.post('/keys', { name: 'mine', scopes: ['read', 'manage'] });
  const { error } = await runCommand(['keys', 'rotate', 'mine', '--overlap', '1h'], {
    env: { ...scene.env, TRIBUTARY_API_KEY: body.data.api_key },
  });
  expect(error).toContain('Commands still use the old secret, from the environment: replace it there.');
});

test.each([
  [['create', 'x'], '--scope is needed: read, send, manage, metrics.'],
  [['create', 'x', '--scope', 'write'], '--scope must be one of read, send, manage, metrics.'],
  [['create', 'x', '--scope', 'read', '--expires', 'soon'], '--expires must be a time such as'],
  [['rotate', 'First key', '--overlap', 'long'], '--overlap must be a time such as 30m, 24h or 7d, not long.'],
])('keys %j is refused with a mend', async (argv, message) => {
  const { code, error } = await tributary(...argv);
  expect([code, error]).toEqual([2, expect.stringContaining(message)]);
});

test('an unknown key is refused', async () => {
  expect(await tributary('delete', 'nothing', '--yes')).toMatchObject({ code: 1, error: 'There is no key nothing.\n' });
});

test('a command whose key lacks a scope names it', async () => {
  const { body } = await scene.api.post('/keys', { name: 'reader', scopes: ['read'] });
  const { code, error } = await runCommand(['keys', 'create', 'more', '--scope', 'read'], {
    env: { ...scene.env, TRIBUTARY_API_KEY: body.data.api_key },
  });
  expect([code, error]).toEqual([1, expect.stringContaining('needs the scope manage, which your API key lacks')]);
});
