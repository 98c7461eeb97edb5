import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Keeps a list of the hooks that ran, which each run emits. */
const code = (fails = false) => `export default {
  name: 'Listed', version: '0.0.1',
  props: { db: '$.service.db', tag: { type: 'string', default: 'a' } },
  methods: { ran(name) { this.db.set('ran', [...(this.db.get('ran') ?? []), name]); } },
  hooks: {
    activate() { ${fails ? "if (this.tag === 'bad') throw new Error('bad tag');" : ''} this.ran('activate ' + this.tag); },
    deactivate() { this.ran('deactivate ' + this.tag); },
  },
  run() { this.$emit({ ran: this.db.get('ran') }); },
};`;

async function put(id: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: response, text } = await scene.api.put(`/sources/${id}`, body);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return response.data;
}

const stateOf = async (id: string): Promise<unknown> => (await scene.api.get(`/sources/${id}`)).body.data.active;

async function hooksOf(id: string, active: boolean): Promise<unknown> {
  if (!active) await put(id, { active: true });
  await scene.api.post(`/sources/${id}/run`, {});
  const [{ event } = expect.fail()] = await scene.eventsOf(id, 1);
  return event.ran;
}

/** A rename of a disabled source enabled it: `active` counted as true in every body. */
describe('a PUT without a selector and without active', () => {
  test('leaves a disabled source disabled, and runs no hook, whatever it renames or configures', async () => {
    const { id } = await scene.source(code());
    await put(id, { active: false });
    expect(await put(id, { name: 'renamed' })).toMatchObject({ name: 'renamed', active: false });
    expect(await put(id, { configured_props: { tag: 'b' } })).toMatchObject({
      active: false,
      configured_props: { tag: 'b' },
    });
    expect(await stateOf(id)).toBe(false);
    expect(await hooksOf(id, false)).toEqual(['activate a', 'deactivate a', 'activate b']);
  });

  test('leaves an enabled one enabled', async () => {
    const { id } = await scene.source(code());
    expect(await put(id, { name: 'renamed' })).toMatchObject({ active: true });
    expect(await put(id, { configured_props: { tag: 'b' } })).toMatchObject({ active: true });
    expect(await hooksOf(id, true)).toEqual(['activate a', 'deactivate a', 'activate b']);
  });

  test('leaves a failed source as it is; active: true with corrected props repairs it', async () => {
    const { id } = await scene.source(code(true));
    expect((await scene.api.put(`/sources/${id}`, { configured_props: { tag: 'bad' } })).status).toBe(400);
    expect(await stateOf(id)).toBe(false);
    expect(await put(id, { name: 'renamed' })).toMatchObject({ name: 'renamed', active: false });
    expect(await put(id, { configured_props: { tag: 'c' }, active: true })).toMatchObject({ active: true });
    expect(await hooksOf(id, true)).toEqual(['activate a', 'deactivate a', 'activate c']);
  });
});

test('a PUT with a selector and without active enables the source', async () => {
  const { id, data } = await scene.source(code());
  await put(id, { active: false });
  expect(await put(id, { component_id: data.component_id, name: 'renamed' })).toMatchObject({ active: true });
  expect(await hooksOf(id, true)).toEqual(['activate a', 'deactivate a', 'activate a']);
});

test('a PUT that changes neither code nor props nor active runs no hook, with a selector or without', async () => {
  const { id, data } = await scene.source(code());
  for (const body of [
    { component_id: data.component_id },
    { component_code: code() },
    { configured_props: {} },
    { configured_props: { tag: 'a' } },
    { active: true },
    { name: 'other' },
  ])
    expect(await put(id, body)).toMatchObject({ active: true });
  expect(await hooksOf(id, true)).toEqual(['activate a']);
});

test.each([[{}], [{ org_id: 'o' }], [{ component_id: null }], [{ component_code: null, org_id: 'o' }]])(
  '%j names nothing to change: 400',
  async (body) => {
    const { id } = await scene.source(code());
    const { status, body: response } = await scene.api.put(`/sources/${id}`, body);
    expect([status, response.code]).toEqual([400, 'invalid_request']);
  },
);
