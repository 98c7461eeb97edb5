import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

/** Sources whose interface is an app's: the app's events come in through the source's endpoint. */

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const component = (hook: string, more = '') => `
  const app = { type: 'app', app: 'some_app', methods: { all() { return Promise.resolve(['made.all']); } } };
  export default { name: 'Hooked', version: '0.0.1', ${more} props: {
    app,
    chosen: { type: 'string[]', optional: true },
    hook: { type: '$.interface.apphook', appProp: 'app', ${hook} },
  }, run(event) { this.$emit(event, { summary: typeof event }); } };`;

describe('eventNames of an apphook', () => {
  test.each<[string, string, unknown[], Record<string, unknown>]>([
    ['as an array', `eventNames: ['made', 'deleted']`, ['made', 'deleted'], {}],
    [
      'as a function, on the component',
      `eventNames() { return this.chosen; }`,
      ['a', 'b'],
      { chosen: ['a', 'b'] },
    ],
    ['as an async function', `async eventNames() { return this.app.all(); }`, ['made.all'], {}],
    ['as a function that gives nothing', `async eventNames() { return this.chosen; }`, [], {}],
    ['as a static value', `static: []`, [], {}],
    ['not at all, for a remote one', `remote: true`, [], {}],
  ])('%s are shown with the endpoint that receives them', async (_, hook, names, props) => {
    const source = await scene.source(component(hook), { configured_props: props });
    expect(source.data.configured_props).toEqual({
      ...props,
      hook: { endpoint_url: expect.stringMatching(/^http/) as string, event_names: names },
    });
  });

  test('follow an update of what they depend on, and stay with another', async () => {
    const source = await scene.source(component(`eventNames() { return this.chosen; }`), {
      configured_props: { chosen: ['a'] },
    });
    const { body } = await scene.api.put(`/sources/${source.id}`, { configured_props: { chosen: ['b'] } });
    expect(body.data.configured_props.hook).toEqual({ endpoint_url: source.endpoint, event_names: ['b'] });
    const renamed = await scene.api.put(`/sources/${source.id}`, { name: 'renamed' });
    expect(renamed.body.data.configured_props).toEqual(body.data.configured_props);
    const same = await scene.api.put(`/sources/${source.id}`, {
      configured_props: renamed.body.data.configured_props,
    });
    expect(same.body.data.configured_props).toEqual(body.data.configured_props);
  });

  test.each([
    ['throw', `eventNames() { throw new Error('no channels'); }`, 'no channels'],
    ['are no list', `eventNames: async () => 5`, 'The eventNames of the prop hook are not an array.'],
  ])('that %s fail the create, which says so', async (_, hook, message) => {
    const { status, body } = await scene.api.post('/sources', { component_code: component(hook) });
    expect([status, body.code]).toEqual([400, 'configure_failed']);
    expect(body.error).toContain(message);
  });
});

test('the definition of an apphook shows its app and its static names', async () => {
  const code = component(`eventNames: ['made'], static: [], remote: true`);
  const { body } = await scene.api.post('/components', { component_code: code });
  expect(body.data.configurable_props.at(-1)).toEqual({
    name: 'hook',
    type: '$.interface.apphook',
    static: [],
    appProp: 'app',
    eventNames: ['made'],
  });
});

test("run gets the app's event itself, whatever it is called on its way", async () => {
  const source = await scene.source(component(`eventNames: ['made']`));
  const send = async (body: string | undefined, type: string, path = '') => {
    const response = await fetch(`${source.endpoint}${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body }),
    });
    expect([response.status, await response.text()]).toEqual([200, '{"success":true}']);
  };
  const sent: [unknown, string | undefined, string, string?][] = [
    [{ event: 'made', n: 1 }, '{"event":"made","n":1}', 'application/json'],
    [{ n: 2 }, ' {"n":2} ', 'text/plain', '/some/path?query=1'],
    [{ a: '3', b: ['4', '5'] }, 'a=3&b=4&b=5', 'application/x-www-form-urlencoded'],
    [{ raw_event: 'just text' }, 'just text', 'text/plain'],
    [{ raw_event: [6] }, '[6]', 'application/json'],
    [{}, undefined, 'application/json'],
  ];
  for (const [index, [, ...args]] of sent.entries()) {
    await send(...args);
    await scene.eventsOf(source.id, index + 1);
  }
  const events = await scene.events(source.id, { expand: 'event' });
  expect(events.map(({ event }) => event).reverse()).toEqual(sent.map(([expected]) => expected));
});

test('a source with an HTTP interface as well takes requests at its endpoint', async () => {
  const source = await scene.source(
    `export default { name: 'Both', version: '1', props: { hook: { type: '$.interface.apphook', eventNames: ['x'] }, http: '$.interface.http' }, run(event) { this.$emit(event); } };`,
  );
  expect(source.data.configured_props).toEqual({
    hook: { event_names: ['x'] },
    http: { endpoint_url: source.endpoint },
  });
  await scene.send(source.endpoint, { n: 1 });
  const [seen] = await scene.eventsOf(source.id, 1, { expand: 'event' });
  expect(seen?.event).toMatchObject({ method: 'POST', body: { n: 1 } });
});

test('without run the event is emitted as it came', async () => {
  const source = await scene.source(
    `export default { name: 'No run', version: '1', props: { hook: { type: '$.interface.apphook', eventNames: ['x'] } } };`,
  );
  await scene.send(source.endpoint, { n: 1 });
  const [seen] = await scene.eventsOf(source.id, 1, { expand: 'event' });
  expect(seen?.event).toEqual({ n: 1 });
});
