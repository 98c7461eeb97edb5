import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STARTING_POINTS } from '../../shared/domain/component/starting-points.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

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
    ['as a function, on the component', `eventNames() { return this.chosen; }`, ['a', 'b'], { chosen: ['a', 'b'] }],
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

describe('an app that signs its requests', () => {
  const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
  const relay = (app: string) => `
    const app = { type: 'app', app: '${app}' };
    export default { name: 'Relay', version: '1', props: { app, hook: { type: '$.interface.apphook', appProp: 'app', eventNames: [] } } };`;
  const listener = (names: string[]) => `
    const app = { type: 'app', app: 'slack' };
    export default { name: 'Listener', version: '1', props: { app, hook: { type: '$.interface.apphook', appProp: 'app', eventNames: ${JSON.stringify(names)} } },
      run(event) { this.$emit(event); } };`;

  async function connected(app: string, fields: Record<string, string>): Promise<string> {
    const { status, body } = await scene.api.post('/accounts', { app, fields });
    expect(status).toBe(200);
    return body.data.id;
  }

  async function sendSigned(endpoint: string, value: unknown, secret = SECRET): Promise<Response> {
    const body = JSON.stringify(value);
    const time = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
    return fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': time,
        'x-slack-signature': `v0=${signature}`,
        'x-zm-request-timestamp': time,
        'x-zm-signature': `v0=${signature}`,
      },
      body,
    });
  }
  const callback = (event: object) => ({ token: 't', type: 'event_callback', event_id: 'Ev1', event });
  const message = (text: string, channel = 'C1') => ({ type: 'message', channel, text });

  test('is answered 401 for a wrong signature, and its events come in by a right one', async () => {
    const account = await connected('slack', { signing_secret: SECRET });
    const configured_props = { app: { authProvisionId: account } };
    const source = await scene.source(relay('slack'), { configured_props });
    const wrong = await sendSigned(source.endpoint, callback(message('forged')), 'another');
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { code: 'wrong_signature' }]);
    const unsigned = await scene.send(source.endpoint, callback(message('forged')));
    expect(unsigned.status).toBe(401);
    expect((await sendSigned(source.endpoint, callback(message('hello')))).status).toBe(200);
    const [seen, ...others] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(seen?.event).toEqual(message('hello'));
    expect(others).toEqual([]);

    await scene.api.put(`/accounts/${account}`, { fields: { signing_secret: 'rotated' } });
    const after = async () => (await sendSigned(source.endpoint, callback(message('x')), 'rotated')).status;
    await until('the new secret is known', async () => (await after()) === 200);
  });

  test('gets the response to its check of the address, and nothing runs', async () => {
    const slack = await scene.source(relay('slack'), {
      configured_props: { app: { authProvisionId: await connected('slack', { signing_secret: SECRET }) } },
    });
    const asked = { token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl', challenge: '3eZbrw1aBm2r', type: 'url_verification' };
    const told = await sendSigned(slack.endpoint, asked);
    expect([told.status, told.headers.get('content-type'), await told.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '3eZbrw1aBm2r',
    ]);
    expect(told.headers.get('x-content-type-options')).toBe('nosniff');

    const zoom = await scene.source(relay('zoom'), {
      configured_props: { app: { authProvisionId: await connected('zoom', { webhook_secret_token: 's' }) } },
    });
    const plainToken = 'qgg8vlvZRS6UYooatFL8Aw';
    const validation = {
      payload: { plainToken },
      event_ts: 1_654_503_849_680,
      event: 'endpoint.url_validation',
    };
    expect(await (await sendSigned(zoom.endpoint, validation, 's')).json()).toEqual({
      plainToken,
      encryptedToken: createHmac('sha256', 's').update(plainToken).digest('hex'),
    });

    const dropbox = await scene.source(relay('dropbox'));
    expect(await (await fetch(`${dropbox.endpoint}?challenge=abc123`)).text()).toBe('abc123');
    const strava = await scene.source(relay('strava'));
    const query = 'hub.verify_token=STRAVA&hub.challenge=15f7d1a91c1f40f8a748fd134752feb3&hub.mode=subscribe';
    expect(await (await fetch(`${strava.endpoint}?${query}`)).json()).toEqual({
      'hub.challenge': '15f7d1a91c1f40f8a748fd134752feb3',
    });
    for (const { id } of [slack, zoom, dropbox, strava]) expect(await scene.events(id)).toEqual([]);
  });

  test('has one address, and sources that listen to its source get the events that they ask for', async () => {
    const code = STARTING_POINTS.relay.code({ key: 'my-relay', name: 'My relay' });
    const addressed = await scene.source(code);
    const wanted = await scene.source(listener(['C1']));
    const other = await scene.source(listener(['reaction_added']));
    for (const { id } of [wanted, other]) await scene.subscribe(addressed.id, id);
    await scene.send(addressed.endpoint, callback(message('one', 'C2')));
    await scene.send(addressed.endpoint, callback(message('two', 'C1')));
    await scene.send(addressed.endpoint, callback({ type: 'reaction_added', item: { channel: 'C3' } }));
    expect(await scene.eventsOf(addressed.id, 3)).toHaveLength(3);
    const [reaction] = await scene.eventsOf(other.id, 1, { expand: 'event' });
    expect(reaction?.event).toMatchObject({ type: 'reaction_added' });
    const seen = await scene.eventsOf(wanted.id, 1, { expand: 'event' });
    expect(seen.map(({ event }) => event)).toEqual([message('two', 'C1')]);
  });

  test('is taken unchecked without the secret, and create and update warn of it', async () => {
    const account = await connected('slack', { oauth_access_token: 't' });
    const created = await scene.api.post('/sources', { component_code: listener([]) });
    expect(created.body.warnings).toEqual([
      'The endpoint takes every request: without the field signing_secret of the account, signatures of slack are not checked. Add it: connect an account of slack that has this field.',
    ]);
    const { id, configured_props } = created.body.data;
    expect((await scene.send(configured_props.hook.endpoint_url, callback(message('x')))).status).toBe(200);
    const configured = { app: { authProvisionId: account } };
    const updated = await scene.api.put(`/sources/${id}`, { configured_props: configured });
    expect(updated.body.warnings).toEqual([
      expect.stringContaining(`tributary accounts update ${account} --field signing_secret=-`),
    ]);
    await scene.api.put(`/accounts/${account}`, { fields: { signing_secret: SECRET } });
    const again = await scene.api.put(`/sources/${id}`, { configured_props: configured });
    expect(again.body.warnings).toBeUndefined();
  });
});
