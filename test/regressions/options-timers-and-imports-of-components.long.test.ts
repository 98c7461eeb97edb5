import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const component = (props: string, more = 'run() {}', imports = '') =>
  `${imports} export default { name: 'Offers', version: '0.0.1', props: { ${props} }, ${more} };`;

describe('an options function', () => {
  const optionsOf = async (options: string) => {
    const code = component(`p: { type: 'string', ${options} }`);
    const { body } = await scene.api.post('/components', { component_code: code });
    const { id } = body.data;
    const response = await scene.api.post('/components/configure', {
      id,
      prop_name: 'p',
      configured_props: {},
    });
    return response.body.data ?? response.body.error;
  };
  test.each([
    ['async options() {}'],
    ['options: () => null'],
    ['options: () => ({ options: undefined, context: {} })'],
    ['options: () => ({ options: null })'],
  ])('without a result has no options: %s', async (options) => {
    expect(await optionsOf(options)).toMatchObject({ options: [] });
  });
  test('with a result of another form is an error', async () => {
    expect(await optionsOf('options: () => ({ data: [1] })')).toMatch(/neither an array/);
    expect(await optionsOf(`options: () => 'a'`)).toMatch(/neither an array/);
  });
});

describe('a timer prop', () => {
  const RUN = 'run() { this.$emit({ seen: { ...this.timer } }); }';
  test.each([
    [{ interval_seconds: 900 }, { interval_seconds: 900, intervalSeconds: 900, cron: null }],
    [{ cron: '0 6 * * *' }, { interval_seconds: null, intervalSeconds: null, cron: '0 6 * * *' }],
  ])('%j has its interval under both names', async (timer, seen) => {
    const { id } = await scene.source(component(`timer: '$.interface.timer'`, RUN), {
      configured_props: { timer },
    });
    await scene.api.post(`/sources/${id}/run`);
    expect((await scene.eventsOf(id, 1)).map(({ event }) => event)).toEqual([{ seen }]);
  });
});

describe('an import that is none says what to write instead', () => {
  const refusal = async (imports: string) => {
    const { status, body } = await scene.api.post('/components', {
      component_code: component('', 'run() {}', imports),
    });
    return [status, body.error];
  };
  test.each([
    [`const a = require('https://esm.sh/lodash');`, /an address is no import: import the npm package by its name/],
    [`import a from 'https://cdn.skypack.dev/lodash';`, /an address is no import/],
    [`import a from 'npm:lodash';`, /an address is no import/],
    [`import a from '@/lib/a';`, /`paths` of a tsconfig\.json .* write the relative path/],
    [`import a from '~/lib/a';`, /write the relative path/],
    [`import a from '#lib/a';`, /write the relative path/],
  ])('%s', async (imports, message) => {
    expect(await refusal(imports)).toEqual([400, expect.stringMatching(message)]);
  });
});
