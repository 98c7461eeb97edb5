import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { aWorkflow } from '../support/stores.ts';

let cloud: TestCloud;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
});
afterAll(() => cloud.stop());

test('no empty text, name or list in a request is an error of the service', async () => {
  const source = (await api.post('/sources', { component_code: emitter() })).body.data.id;
  const webhook = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id;
  const account = (await api.post('/accounts', { app: 'slack', fields: { token: 't' } })).body.data.id;
  const { id: workflow } = await aWorkflow(cloud, (await api.get('/users/me')).body.data.id);
  const ids: Record<string, string> = {
    sources: source,
    webhooks: webhook,
    accounts: account,
    workflows: workflow,
  };
  const failed: string[] = [];
  let sent = 0;
  const send = async (method: string, path: string, request: { query?: string; body?: unknown }) => {
    sent += 1;
    const { status, text } = await api.call(method.toUpperCase(), path, request);
    // The registry of packages is not there.
    if (status >= 500 && !text.includes('registry_unavailable'))
      failed.push(`${method} ${path} ${JSON.stringify(request)}: ${text}`);
  };
  const paths = Object.entries(api.document.paths);
  const removals = paths.map(([path, { delete: removal }]) => [path, removal ? { delete: removal } : {}] as const);
  const others = paths.map(([path, { delete: _removal, ...rest }]) => [path, rest] as const);
  for (const [template, operations] of [...others, ...removals]) {
    // Sign-ins of people redirect to pages.
    if (!template.startsWith('/v1/') || template.endsWith('/sse') || template.startsWith('/v1/session/')) continue;
    const parts = template.slice(3).split('/');
    const path = parts
      .map((part, at) => (/^\{.*\}$/.test(part) ? (ids[parts[at - 1] ?? ''] ?? '1-0') : part))
      .join('/');
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      for (const name of names) await send(method, path, { query: `${name}=` });
      if (method === 'get') continue;
      if (requestBody === undefined) {
        await send(method, path, { body: null });
        continue;
      }
      const { schema } = requestBody.content['application/json'];
      const found = membersOf(api.document, schema);
      for (const name of found)
        for (const value of ['', { '': '' }, ['']])
          await send(method, path, { body: { url: 'http://127.0.0.1:9/', app: 'acme', [name]: value } });
      await send(method, path, { body: Object.fromEntries(found.map((name) => [name, ''])) });
    }
  }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(100);
});

/** Names of the members of an object, also of one by reference or in parts. */
function membersOf(document: ApiClient['document'], schema: Record<string, unknown>): string[] {
  const { $ref, properties, allOf, anyOf, oneOf } = schema as {
    $ref?: string;
    properties?: object;
    allOf?: Record<string, unknown>[];
    anyOf?: Record<string, unknown>[];
    oneOf?: Record<string, unknown>[];
  };
  const name = $ref?.split('/').at(-1);
  const target = name === undefined ? undefined : document.components.schemas[name];
  const parts = [allOf, anyOf, oneOf].flatMap((each) => each ?? []);
  return [
    ...Object.keys(properties ?? {}),
    ...(target ? membersOf(document, target as Record<string, unknown>) : []),
    ...parts.flatMap((part) => membersOf(document, part)),
  ];
}
