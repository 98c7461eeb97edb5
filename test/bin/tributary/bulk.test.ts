import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { runCommand, startCommand } from '../../support/command.ts';
import { ECHO, Scene } from '../../support/scene.ts';
import { aUser } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

let api: ApiClient;
let env: Record<string, string>;
beforeEach(async () => {
  const { key } = await aUser(scene.cloud);
  api = scene.api.as(key);
  env = { TRIBUTARY_URL: scene.cloud.origin, TRIBUTARY_API_KEY: key };
});

const tributary = (...argv: string[]) => runCommand(argv, { env });

const NEW = { sources: { component_code: ECHO }, webhooks: { url: 'https://example.org/in' } } as const;
type Kind = keyof typeof NEW;

async function create(kind: Kind, name: string, tags: string[] = [], as = api): Promise<string> {
  return (await as.post(`/${kind}`, { ...NEW[kind], name, tags })).body.data.id;
}
/** Name and state of each, sorted. */
async function states(kind: Kind, as = api): Promise<Record<string, boolean>> {
  const { data } = (await as.get(`/users/me/${kind}`)).body;
  const pairs = data.map(({ name, active }: { name: string; active: boolean }) => [name, active] as const);
  return Object.fromEntries(pairs.sort());
}

describe.each<[Kind, string]>([
  ['sources', 'source'],
  ['webhooks', 'webhook'],
])('%s', (kind, noun) => {
  test('enable and disable take several names, in their order; a name twice counts once', async () => {
    const [one, two] = [await create(kind, 'one'), await create(kind, 'two')];
    await create(kind, 'three');
    const off = await tributary(kind, 'disable', 'two', one, 'two', '--json');
    expect(off).toMatchObject({ code: 0, error: '' });
    expect(JSON.parse(off.out)).toMatchObject([
      { id: two, active: false },
      { id: one, active: false },
    ]);
    expect(await states(kind)).toEqual({ one: false, three: true, two: false });
    expect(await tributary(kind, 'enable', 'one', 'two', '-q')).toEqual({
      code: 0,
      out: `${one}\n${two}\n`,
      error: '',
    });
    expect(await states(kind)).toEqual({ one: true, three: true, two: true });
  });

  test('a refused one is named at the end with exit 1, and the others are done', async () => {
    const one = await create(kind, 'one');
    const { code, out, error } = await tributary(kind, 'disable', 'nobody', 'one', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([{ id: one, active: false }]);
    expect(JSON.parse(error)).toMatchObject({
      code: 'some_refused',
      error: `1 of 2 ${noun}s were not disabled:\n  nobody: There is no ${noun} nobody.`,
    });
    expect(await states(kind)).toEqual({ one: false });
    const gone = await tributary(kind, 'delete', 'nobody', 'one', '--yes');
    expect(gone).toMatchObject({ code: 1, out: `DELETED\n${one}\n` });
    expect(await states(kind)).toEqual({});
  });

  test("--tag chooses the user's own with exactly this tag, and prints them", async () => {
    const stranger = scene.api.as((await aUser(scene.cloud)).key);
    await create(kind, 'theirs', ['nightly'], stranger);
    await create(kind, 'one', ['nightly', 'a']);
    await create(kind, 'two', ['nightly-b']);
    const { code, error } = await tributary(kind, 'disable', '--tag', 'nightly');
    expect({ code, error }).toEqual({ code: 0, error: '1 with the tag nightly: one.\n' });
    expect(await states(kind)).toEqual({ one: false, two: true });
    expect(await states(kind, stranger)).toEqual({ theirs: true });
    expect(await tributary(kind, 'disable', '--tag', 'nobody')).toEqual({
      code: 1,
      out: '',
      error: `No ${noun} has the tag nobody.\n`,
    });
  });

  test('an empty tag, no names, or names beside a tag are exit 2 and change nothing', async () => {
    await create(kind, 'one', ['a']);
    for (const argv of [['--tag', ''], ['--tag', ' '], [], ['one', '--tag', 'a']])
      for (const command of ['disable', 'delete'])
        expect(await tributary(kind, command, ...argv), argv.join(' ')).toMatchObject({ code: 2, out: '' });
    expect(await states(kind)).toEqual({ one: true });
  });

  test('delete --tag needs --yes without a terminal, and asks on one', async () => {
    await create(kind, 'one', ['old']);
    await create(kind, 'two', ['old']);
    await create(kind, 'kept');
    expect(await tributary(kind, 'delete', '--tag', 'old')).toMatchObject({
      code: 2,
      error: expect.stringContaining('needs --yes') as string,
    });
    const asked = startCommand([kind, 'delete', '--tag', 'old'], { env, columns: 120, isTyping: true });
    await until('the question', () => asked.error().includes(`Delete 2 ${noun}s (two, one)?`));
    asked.write('n\n');
    expect(await asked.ended).toMatchObject({ code: 1 });
    expect(await states(kind)).toEqual({ kept: true, one: true, two: true });
    expect(await tributary(kind, 'delete', '--tag', 'old', '--yes')).toMatchObject({ code: 0 });
    expect(await states(kind)).toEqual({ kept: true });
  });

  test('create, list and update take --tag, and --untag clears', async () => {
    const id = await create(kind, 'one');
    await create(kind, 'other');
    const json = async (...argv: string[]) => JSON.parse((await tributary(kind, ...argv, '--json')).out);
    expect(await json('update', 'one', '--tag', 'a', '--tag', 'b:c')).toMatchObject({ tags: ['a', 'b:c'] });
    expect(await json('list', '--tag', 'b:c')).toMatchObject([{ id }]);
    expect((await tributary(kind, 'list')).out).toMatch(/TAGS[^]*\ta, b:c/);
    expect(await json('update', 'one', '--tag', 'd')).toMatchObject({ tags: ['d'] });
    expect(await json('update', 'one', '--name', 'renamed')).toMatchObject({ tags: ['d'] });
    expect(await json('update', 'renamed', '--untag')).toMatchObject({ tags: [] });
    expect(await tributary(kind, 'update', 'renamed', '--tag', 'a,b')).toMatchObject({
      code: 1,
      error: expect.stringContaining('tags.0 must have only letters') as string,
    });
    expect((await tributary(kind, 'list', '--tag', '')).code).toBe(2);
  });
});
