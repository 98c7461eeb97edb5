import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const component = (props: string, more = 'run() {}') =>
  `export default { name: 'Requires', version: '0.0.1', props: { ${props} }, ${more} };`;

const ALL = component(`
  db: '$.service.db', http: '$.interface.http', app: { type: 'app', app: 'some_app' },
  team: { type: 'string' }, note: { type: 'string', optional: true },
  channel: { type: 'string[]' }, limit: { type: 'integer', default: 5 }, page: { type: 'any', hidden: true },
  told: { type: 'alert', alertType: 'info', content: 'Hello' }, computed: { type: 'string', default: () => 'x' },
`);

const create = (component_code: string, configured_props?: object) =>
  scene.api.post('/sources', { component_code, ...(configured_props ? { configured_props } : {}) });
const required = (...names: string[]) =>
  names.map((name) => ({ path: `configured_props.${name}`, message: 'is required' }));

/** A source was made without them, and its runs failed one after the other. */
describe('a create without a value for required props', () => {
  test.each([[undefined], [{}], [{ team: null, limit: null }], [{ note: 'n', http: {}, page: 1 }]])(
    '%j is 400 that names every one, and nothing is left',
    async (configured_props) => {
      const total = async () => (await scene.api.get('/users/me/sources')).body.page_info.total_count;
      const before = await total();
      const { status, body } = await create(ALL, configured_props);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.error).toBe('configured_props.team and configured_props.channel are required.');
      expect(body.details).toEqual(required('team', 'channel'));
      expect(await total()).toBe(before);
    },
  );

  test('names the one that is missing', async () => {
    const { status, body } = await create(ALL, { team: 't' });
    expect([status, body.error]).toEqual([400, 'configured_props.channel is required.']);
    const three = component(`a: 'string', b: 'integer', c: 'boolean'`);
    expect((await create(three)).body.error).toBe(
      'configured_props.a, configured_props.b and configured_props.c are required.',
    );
  });

  test('are reported together with other problems', async () => {
    const { body } = await create(ALL, { taem: 't', channel: ['c'] });
    expect(body.details[0].path).toBe('configured_props.taem');
    expect(body.details.slice(1)).toEqual(required('team'));
    expect(body.error).toMatch(/^configured_props\.taem is no prop of this component; /);
    const account = await create(ALL, { app: { authProvisionId: 'apn_none' }, team: 't' });
    expect(account.body.details.slice(1)).toEqual(required('channel'));
  });

  test('is no problem once they have one', async () => {
    const { status, body } = await create(ALL, { team: '', channel: [] });
    expect([status, body.data?.configured_props]).toEqual([
      200,
      expect.objectContaining({ team: '', channel: [], limit: 5 }),
    ]);
  });
});

describe('an update', () => {
  const put = async (id: string, body: object) => (await scene.api.put(`/sources/${id}`, body)).body;

  test('that unsets one, or brings code that needs another: 400, and the source is as it was', async () => {
    const { id, data } = await scene.source(ALL, { configured_props: { team: 't', channel: ['c'] } });
    expect((await put(id, { configured_props: { team: null } })).details).toEqual(required('team'));
    const more = component(`team: 'string', room: 'string', floor: 'integer'`);
    expect((await put(id, { component_code: more })).details).toEqual(required('room', 'floor'));
    expect((await scene.api.get(`/sources/${id}`)).body.data).toEqual(data);
    const updated = await put(id, { component_code: more, configured_props: { room: 'r', floor: 1 } });
    expect(updated.data.configured_props).toEqual({ team: 't', room: 'r', floor: 1 });
  });

  test('that is not about code or props is no occasion', async () => {
    const { id } = await scene.source(ALL, { configured_props: { team: 't', channel: ['c'] } });
    expect((await put(id, { name: 'other', active: false })).data.name).toBe('other');
  });
});

describe('with additionalProps', () => {
  const code = component(
    `kind: { type: 'string', reloadProps: true }, extra: { type: 'string' }`,
    `async additionalProps(existing) {
      if (!this.kind) throw new Error('no kind');
      if (this.kind === 'short') existing.extra.optional = true;
      return { added: { type: 'string' } };
    }, run() {}`,
  );

  test('additional props are not required; declared props are, unless optional', async () => {
    expect((await create(code)).body.details).toEqual(required('kind', 'extra'));
    expect((await create(code, { kind: 'long' })).body.details).toEqual(required('extra'));
    expect((await create(code, { kind: 'long', extra: 'e' })).status).toBe(200);
    expect((await create(code, { kind: 'short' })).status).toBe(200);
    const failing = await create(
      component(
        `kind: { type: 'string', optional: true }`,
        `additionalProps() { throw new Error('no kind'); }, run() {}`,
      ),
    );
    expect([failing.body.code, failing.body.error]).toEqual(['configure_failed', expect.stringContaining('no kind')]);
  });
});
