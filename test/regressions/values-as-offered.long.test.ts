import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const component = (props: string, more = 'run() {}') =>
  `export default { name: 'Offers', version: '0.0.1', props: { ${props} }, ${more} };`;
const create = (code: string, configured_props: object) =>
  scene.api.post('/sources', { component_code: code, configured_props });
const stored = async (code: string, configured_props: object) => {
  const { body } = await create(code, configured_props);
  return body.data?.configured_props ?? body.error;
};

/** About 260 props of public components declare options of another type than their own; no value was accepted. */
describe('a value that the component offers is accepted, in the declared type', () => {
  const MODE = component(`mode: { type: 'string', options: [{ label: 'Off', value: 0 }, 'on'] }`);
  test.each([[0], ['0'], [{ __lv: { label: 'Off', value: 0 } }], [{ __lv: { label: 'Off', value: '0' } }]])(
    'the option 0 of a text as %j',
    async (mode) => {
      expect(await stored(MODE, { mode })).toEqual({ mode: '0' });
    },
  );

  test.each([
    [`{ type: 'integer', options: ['15', { label: 'All', value: 'all' }] }`, '15', 15],
    [`{ type: 'integer', options: ['15', { label: 'All', value: 'all' }] }`, 15, 15],
    [`{ type: 'integer', options: ['15', { label: 'All', value: 'all' }] }`, 'all', 'all'],
    [`{ type: 'boolean', options: ['true', 'false'] }`, 'false', false],
    [`{ type: 'string[]', options: [{ label: 'One', value: 1 }, 'two'] }`, [1, 'two'], ['1', 'two']],
    [`{ type: 'string[]', options: [1, 2] }`, { __lv: [{ label: 'One', value: 1 }] }, ['1']],
    [`{ type: 'object', options: [{ label: 'A', value: { a: 1 } }] }`, { a: 1 }, { a: 1 }],
    [`{ type: 'any', options: [{ label: 'A', value: 1 }] }`, 1, 1],
  ])('%s takes %j', async (definition, sent, value) => {
    expect(await stored(component(`p: ${definition}`), { p: sent })).toEqual({ p: value });
  });

  test('a value that is no option is still refused', async () => {
    expect(await stored(MODE, { mode: 1 })).toMatch(/^configured_props\.mode must be a string/);
    expect(await stored(MODE, { mode: 'off' })).toMatch(/^configured_props\.mode must be one of 0, "on"/);
  });

  test('a prop with an options function takes any value that its type can hold, and does not call it', async () => {
    const code = (type: string) => component(`p: { type: '${type}', options() { throw new Error('called'); } }`);
    expect(await stored(code('string'), { p: 5 })).toEqual({ p: '5' });
    expect(await stored(code('integer'), { p: '5' })).toEqual({ p: 5 });
    expect(await stored(code('boolean'), { p: 'true' })).toEqual({ p: true });
    expect(await stored(code('integer[]'), { p: [{ __lv: { label: 'A', value: '7' } }] })).toEqual({
      p: [7],
    });
    expect(await stored(code('integer'), { p: 'seven' })).toMatch(/must be an integer/);
    expect(await stored(code('string'), { p: { a: 1 } })).toMatch(/must be a string/);
  });

  test('labels stay where the prop asks for them', async () => {
    const code = component(`p: { type: 'string', withLabel: true, options: [{ label: 'Off', value: 0 }] }`);
    expect(await stored(code, { p: { __lv: { label: 'Off', value: 0 } } })).toEqual({
      p: { __lv: { label: 'Off', value: '0' } },
    });
  });
});

describe('the props that the service shows can be sent back', () => {
  const CODE = component(`
    text: { type: 'string', default: 10 }, count: { type: 'integer', default: 'all' },
    list: { type: 'string[]', default: 'all' }, numbers: { type: 'integer[]', default: ['1', '2'] },
    timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
  `);

  test('a default of another type is shown in the declared type, or as it is, and comes back unchanged', async () => {
    const { id, data } = await scene.source(CODE);
    expect(data.configured_props).toMatchObject({ text: '10', count: 'all', list: 'all', numbers: [1, 2] });
    const { status, body } = await scene.api.put(`/sources/${id}`, {
      configured_props: data.configured_props,
    });
    expect([status, body.data?.configured_props ?? body.error]).toEqual([200, data.configured_props]);
    expect((await create(CODE, data.configured_props)).status).toBe(200);
  });

  test('also a value that was stored for an earlier declaration', async () => {
    const { id } = await scene.source(component(`p: { type: 'string' }`), { configured_props: { p: 'x' } });
    const changed = await scene.api.put(`/sources/${id}`, {
      component_code: component(`p: { type: 'integer' }`),
    });
    expect(changed.body.data.configured_props).toEqual({ p: 'x' });
    const again = await scene.api.put(`/sources/${id}`, { configured_props: { p: 'x' } });
    expect([again.status, again.body.data?.configured_props]).toEqual([200, { p: 'x' }]);
    expect((await scene.api.put(`/sources/${id}`, { configured_props: { p: 'y' } })).status).toBe(400);
  });
});

describe('a number is checked like an integer', () => {
  const CODE = component(`p: { type: 'number', min: 0.5, max: 2.5 }`);
  test.each([
    [0.5, { p: 0.5 }],
    [2, { p: 2 }],
    ['1', /must be a number/],
    [true, /must be a number/],
    [0.25, /must be at least 0\.5/],
    [3, /must be at most 2\.5/],
  ])('%j', async (p, expected) => {
    const response = await stored(CODE, { p });
    if (expected instanceof RegExp) expect(response).toMatch(expected);
    else expect(response).toEqual(expected);
  });
  test('in lists, too', async () => {
    expect(await stored(component(`p: { type: 'number[]' }`), { p: [1.5, '2'] })).toMatch(
      /has an element 1 that must be a number/,
    );
  });
});
