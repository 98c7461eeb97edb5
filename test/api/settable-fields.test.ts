import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { AccountSettings } from '../../shared/domain/account/account.ts';
import { UserPlan, UserProfile } from '../../shared/domain/user/user.ts';
import { WorkflowSettings } from '../../shared/domain/subscription/workflow.ts';
import type { Route } from '../../shared/http/route.ts';
import { routes } from '../../shared/http/routes.ts';
import { accounts } from '../../shared/http/routes/account-routes.ts';
import { components } from '../../shared/http/routes/component-routes.ts';
import { sources } from '../../shared/http/routes/source-routes.ts';
import { subscriptions } from '../../shared/http/routes/subscription-routes.ts';
import { webhooks } from '../../shared/http/routes/webhook-routes.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { operator } from '../support/operator.ts';
import { aUser } from '../support/stores.ts';

/*
 * The fields are read from the schemas of the routes and of the domain. A new field fails these tests until it has
 * sample values here, and then until GET returns them.
 */

let cloud: TestCloud;
let client: ApiClient;
let admin: ReturnType<typeof operator>;
let user: Awaited<ReturnType<typeof aUser>>;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud({ publicUrl: 'https://*.hooks.example.com' });
  client = await apiClient(cloud.base, cloud.key);
  admin = operator(cloud);
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  user = await aUser(cloud);
  api = client.as(user.key);
});

/** Every request may choose the fields of its response. */
const CHOICE = new Set(['include', 'exclude']);

function fieldsOf({ input }: Pick<Route, 'input'>): string[] {
  if (!(input instanceof z.ZodObject)) throw new Error('The input of the route is no object');
  return Object.keys(input.shape)
    .filter((name) => !CHOICE.has(name))
    .sort();
}

const namesOf = (...schemas: z.ZodObject[]) => schemas.flatMap(({ shape }) => Object.keys(shape)).sort();
const without = (fields: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const code = (name: string) =>
  `export default { name: '${name}', version: '0.0.1', props: { text: { type: 'string' } }, run() {} };`;
const aComponent = async (name: string): Promise<string> =>
  (await api.post('/components', { component_code: code(name) })).body.data.id;
const aWebhook = async (): Promise<string> =>
  (await api.post('/webhooks', { url: 'https://example.org/in' })).body.data.id;

/** A new object is active: only an update sets this field. */
const ONLY_UPDATES = ['active'];

interface Samples {
  /** Values of POST, one for each field. */
  first: object;
  /** Other values, of PUT. */
  second: object;
}

/** Stores the first values, then the second ones, then the first ones again, one by one. */
async function expectAllKept(path: string, { first, second }: Samples): Promise<void> {
  const { body: made } = await api.post(path, without(first, ...ONLY_UPDATES));
  const own = `${path}/${made.data.id}`;
  const shown = async () => (await api.get(own)).body.data;
  expect(await shown()).toMatchObject(first);
  expect((await api.put(own, second)).body.data).toMatchObject(second);
  expect(await shown()).toMatchObject(second);
  const wanted = { ...second };
  for (const [name, value] of Object.entries(first)) {
    await api.put(own, { [name]: value });
    Object.assign(wanted, { [name]: value });
    expect(await shown(), `after PUT of ${name} alone`).toMatchObject(wanted);
  }
}

describe('every field of a request comes back from GET', () => {
  test('of a webhook, after POST and after PUT', async () => {
    const first = {
      target: { kind: 'queue', arn: 'arn:aws:sqs:us-east-1:000000000000:target', role_arn: null },
      url: 'https://sqs.us-east-1.amazonaws.com/000000000000/target',
      name: 'one',
      description: 'the first',
      active: true,
      headers: { 'X-Team': 'one' },
      rate_limit: 1,
      retry_seconds: [1, 86_400],
      ordered: true,
      format: 'slack',
      tags: ['one'],
    };
    const second = {
      target: null,
      url: 'https://sqs.us-east-1.amazonaws.com/000000000000/target',
      name: 'two',
      description: 'the second',
      active: false,
      headers: { 'X-Team': 'two' },
      rate_limit: 2,
      retry_seconds: [],
      ordered: false,
      format: 'event',
      tags: ['two', 'team:b'],
    };
    expect(Object.keys(first).sort()).toEqual(fieldsOf(webhooks.updateWebhook));
    expect(Object.keys(second).sort()).toEqual(fieldsOf(webhooks.updateWebhook));
    expect(Object.keys(without(first, ...ONLY_UPDATES)).sort()).toEqual(fieldsOf(webhooks.createWebhook));
    await expectAllKept('/webhooks', { first, second });
  });

  test('of a source, after POST and after PUT', async () => {
    // `active` is first, because a change of the component switches a source on.
    const first = {
      active: true,
      component_id: await aComponent('first'),
      name: 'one',
      configured_props: { text: 'one' },
      endpoint: 'path',
      tags: ['one'],
    };
    const second = {
      active: false,
      component_id: await aComponent('second'),
      name: 'two',
      configured_props: { text: 'two' },
      endpoint: 'origin',
      tags: ['two', 'team:b'],
    };
    // They make or find the component that `component_id` names.
    const selectors = [...fieldsOf(components.createComponent), 'key'];
    expect([...Object.keys(first), ...selectors].sort()).toEqual(fieldsOf(sources.updateSource));
    expect(Object.keys(second)).toEqual(Object.keys(first));
    expect([...Object.keys(without(first, ...ONLY_UPDATES)), ...selectors].sort()).toEqual(
      fieldsOf(sources.createSource),
    );
    await expectAllKept('/sources', { first, second });
  });

  test('of an account, after POST and after PUT; of its fields only the names, because their values are secrets', async () => {
    const request = { app: 'some_app', name: 'one', fields: { token: 't', region: 'eu' } };
    expect(Object.keys(request).sort()).toEqual(fieldsOf(accounts.createAccount));
    // An account stays with its app.
    expect(['app', ...fieldsOf(accounts.updateAccount)]).toEqual(fieldsOf(accounts.createAccount));
    const { body: made } = await api.post('/accounts', request);
    const shown = async () => (await api.get(`/accounts/${made.data.id}`)).body.data;
    const { fields, ...plain } = request;
    expect(await shown()).toMatchObject({ ...plain, field_names: Object.keys(fields) });
    await api.put(`/accounts/${made.data.id}`, { name: 'two' });
    expect(await shown()).toMatchObject({ name: 'two', field_names: ['token', 'region'] });
    await api.put(`/accounts/${made.data.id}`, { fields: { region: null, zone: 'z' } });
    expect(await shown()).toMatchObject({ ...plain, name: 'two', field_names: ['token', 'zone'] });
  });

  test('of a component, after POST', async () => {
    const files = { 'own/lib/name.mjs': "export const name = 'third';" };
    const request = {
      component_code: `import { name } from './lib/name.mjs'; export default { name, version: '0.0.1', run() {} };`,
      component_path: 'own/path.mjs',
      component_files: files,
      component_url: 'https://components.example/third.mjs',
    };
    expect(Object.keys(request).sort()).toEqual(fieldsOf(components.createComponent));
    const { body } = await api.post('/components', request);
    const { body: found } = await api.get(`/components/${body.data.id}`, { expand: 'files' });
    expect(found.data).toMatchObject({
      code: request.component_code,
      path: request.component_path,
      files,
      component_url: request.component_url,
    });
  });

  test('of a subscription, after POST and after a second POST', async () => {
    const first = {
      emitter_id: 'dc_*',
      listener_id: await aWebhook(),
      event_name: 'orders',
      filter: { type: ['one'] },
    };
    const second = { ...first, filter: { type: ['two'] } };
    expect(Object.keys(first).sort()).toEqual(fieldsOf(subscriptions.createSubscription));
    for (const request of [first, second]) {
      await api.post('/subscriptions', request);
      expect((await api.get('/users/me/subscriptions')).body.data).toMatchObject([request]);
    }
  });

  test('of an auto-subscription, after POST and after a second POST, and of the subscriptions that it makes', async () => {
    const first = { listener_id: await aWebhook(), event_name: 'orders', filter: { type: ['one'] } };
    const second = { ...first, filter: { type: ['two'] } };
    expect(Object.keys(first).sort()).toEqual(fieldsOf(subscriptions.createAutoSubscription));
    for (const request of [first, second]) {
      await api.post('/auto_subscriptions', request);
      expect((await api.get('/users/me/auto_subscriptions')).body.data).toMatchObject([request]);
    }
    const component = await aComponent('emitter');
    await api.post('/sources', { component_id: component, configured_props: { text: 'x' } });
    expect((await api.get('/users/me/subscriptions')).body.data).toMatchObject([second]);
  });

  test('no other request stores fields that it names', () => {
    const tested: Route[] = [
      ...[webhooks.createWebhook, webhooks.updateWebhook, sources.createSource, sources.updateSource],
      ...[accounts.createAccount, accounts.updateAccount],
      ...[components.createComponent, subscriptions.createSubscription, subscriptions.createAutoSubscription],
    ];
    const others = Object.values(routes)
      .flatMap((group) => Object.entries<Route>(group))
      .filter(([, route]) => ['POST', 'PUT', 'PATCH'].includes(route.method) && !tested.includes(route))
      .map(([name]) => name);
    expect(others.sort()).toEqual([
      'configureComponent',
      // Its fields come back from the list of keys: keys.test.ts.
      'createKey',
      // A link or a token carries its fields; nothing is stored.
      ...['createPortalLink', 'createSourceToken', 'createWorkflowToken'],
      ...['redeliver', 'rotateKey', 'rotateWebhookSecret', 'runSource'],
      // Its fields are those of an account after a sign-in: connect-account.test.ts.
      'startConnecting',
      ...['startRecovery', 'testWebhook'],
    ]);
  });
});

describe('every field of an operator command comes back from GET', () => {
  test('of a user, after `users create` and after `users set-plan`', async () => {
    const profile = { username: 'ada-of-the-fields', email: 'ada@example.org' };
    expect(Object.keys(profile).sort()).toEqual(namesOf(UserProfile));
    const { id, api_key: key } = await admin<{ id: string; api_key: string }>('users create', {
      ...profile,
      plan: 'free',
    });
    const shown = async () => (await client.as(key).get('/users/me')).body.data;
    expect(await shown()).toMatchObject(profile);
    await admin('users set-plan', { user: id, plan: 'free', invocations: '11', 'compute-ms': '12' });
    expect(await shown()).toMatchObject({
      ...profile,
      daily_invocations_quota: 11,
      daily_compute_time_quota: 12,
    });
    const before = Math.floor(Date.now() / 1_000);
    await admin('users set-plan', { user: id, plan: 'paid' });
    const paid = await shown();
    expect(paid).toMatchObject(profile);
    expect(paid.billing_period_start_ts).toBeGreaterThanOrEqual(before);
    // The members that the three commands set.
    expect(namesOf(UserPlan)).toEqual(['dailyComputeMs', 'dailyInvocations', 'paidSince', 'plan']);
  });

  test('of a connected account, after `accounts add`; its secrets only by name', async () => {
    const own = { app: 'some_app', name: 'Of the team' };
    expect([...Object.keys(own), 'fields'].sort()).toEqual(namesOf(AccountSettings));
    await admin('accounts add', { ...own, owner: user.id, field: ['token=t', 'region=eu'] });
    expect((await api.get('/users/me/accounts')).body.data).toMatchObject([own]);
    expect(await admin('accounts list', { owner: user.id })).toMatchObject([{ ...own, fields: ['token', 'region'] }]);
  });

  test('of a workflow, after `workflows register`', async () => {
    const own = { name: 'Orders', target: 'http://127.0.0.1:9/orders' };
    expect(Object.keys(own).sort()).toEqual(namesOf(WorkflowSettings));
    await admin('workflows register', { ...own, owner: user.id });
    expect((await api.get('/users/me/workflows')).body.data).toMatchObject([own]);
  });
});
